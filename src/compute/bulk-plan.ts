import { type ComputeContext, type Segment, writeSegments } from './bulk-layout.js'
import type { CostEstimates } from './costs.js'
import { StringSink } from './json/sink.js'
import type { ResultCache } from './results/result-cache.js'

/** What the computations of a bulk answer cost, in estimated nanoseconds. */
export interface BulkPlan {
  /** For each segment what it costs to run its kernel over the whole history and to write the values; 0 for texts. */
  readonly weights: readonly number[]
  /** For each segment whether its results are kept. */
  readonly isWarm: readonly boolean[]
  /** The weight of those whose results are not kept. */
  readonly coldNs: number
  /** What it costs to bring the others up to date and to write them. */
  readonly warmNs: number
  /** The bytes of their values as text, about. */
  readonly warmBytes: number
}

/** The text of one number, in bytes. */
const numberBytes = 18

/** Looks for kept results of the computations, which are noted in them, and estimates what the others cost. */
export function planBulk(
  segments: readonly Segment[],
  costs: CostEstimates,
  cache: ResultCache | undefined,
): BulkPlan {
  const weights: number[] = []
  const isWarm: boolean[] = []
  let [coldNs, warmNs, numbers] = [0, 0, 0]
  for (const segment of segments) {
    let weight = 0
    let warm = false
    if (typeof segment !== 'string') {
      const { query, snapshot } = segment
      weight = costs.estimate(query, snapshot)
      const kept = cache?.find(query, snapshot)
      if (kept) {
        segment.kept = kept
        warm = cache?.isWarm(kept, query, snapshot) ?? false
      }
      if (warm) {
        warmNs += costs.estimateKept(query, snapshot, kept?.results.included ?? 0)
        numbers += costs.numbersOf(query, snapshot)
      } else coldNs += weight
    }
    weights.push(weight)
    isWarm.push(warm)
  }
  return { weights, isWarm, coldNs, warmNs, warmBytes: numbers * numberBytes }
}

/** The segments with finished text in the place of those whose results are kept, and the weights of the others. */
export function writeWarm(
  context: ComputeContext,
  segments: readonly Segment[],
  { weights, isWarm }: BulkPlan,
  verbose: boolean,
): { readonly segments: readonly Segment[]; readonly weights: readonly number[] } {
  const cold: Segment[] = []
  const coldWeights: number[] = []
  let sink = new StringSink(context.calculator.writer)
  for (const [at, segment] of segments.entries()) {
    if (typeof segment === 'string') sink.add(segment)
    else if (isWarm[at]) writeSegments(context, [segment], verbose, sink)
    else {
      cold.push(sink.text, segment)
      coldWeights.push(0, weights[at] as number)
      sink = new StringSink(context.calculator.writer)
    }
  }
  cold.push(sink.text)
  coldWeights.push(0)
  return { segments: cold, weights: coldWeights }
}
