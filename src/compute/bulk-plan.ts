import { type ComputeContext, type Segment, writeSegments } from './bulk-layout.js'
import { type CostEstimates, numbersOf } from './costs.js'
import { StringSink } from './json/sink.js'
import type { ResultCache } from './results/result-cache.js'

/** What the computations of a bulk answer cost, in estimated nanoseconds. */
export interface BulkPlan {
  /** For each segment whether it is a computation whose results are kept. */
  readonly isWarm: readonly boolean[]
  /** What it costs to bring these up to date and to write them. */
  readonly warmNs: number
  /** The bytes of their values as text, about. */
  readonly warmBytes: number
  /** What it costs to run the kernels of the others over the whole history and to write their values. */
  readonly coldNs: number
  /** The bytes that the results of these take when they are kept, about. */
  readonly coldBytes: number
}

/** The text of one number, in bytes. */
const numberBytes = 18

/** Looks for kept results of the computations, which are noted in them, and estimates what the others cost. */
export function planBulk(
  segments: readonly Segment[],
  costs: CostEstimates,
  cache: ResultCache | undefined,
): BulkPlan {
  const isWarm: boolean[] = []
  let [coldNs, coldBytes, warmNs, numbers] = [0, 0, 0, 0]
  for (const segment of segments) {
    let warm = false
    if (typeof segment !== 'string') {
      const { query, snapshot } = segment
      const kept = cache?.find(query, snapshot)
      if (kept) {
        segment.kept = kept
        warm = cache?.isWarm(kept, query, snapshot) ?? false
      }
      if (kept && warm) {
        warmNs += costs.estimateKept(query, snapshot, kept.results.included)
        numbers += numbersOf(query, snapshot)
      } else {
        coldNs += costs.estimate(query, snapshot)
        if (kept) coldBytes += cache?.bytesToKeep(kept, query, snapshot) ?? 0
      }
    }
    isWarm.push(warm)
  }
  return { isWarm, warmNs, warmBytes: numbers * numberBytes, coldNs, coldBytes }
}

/** The segments with finished text in the place of those whose results are kept. */
export function writeWarm(
  context: ComputeContext,
  segments: readonly Segment[],
  { isWarm }: BulkPlan,
  verbose: boolean,
): readonly Segment[] {
  const cold: Segment[] = []
  let sink = new StringSink(context.calculator.writer)
  for (const [at, segment] of segments.entries()) {
    if (typeof segment === 'string') sink.add(segment)
    else if (isWarm[at]) writeSegments(context, [segment], verbose, sink)
    else {
      cold.push(sink.text, segment)
      sink = new StringSink(context.calculator.writer)
    }
  }
  cold.push(sink.text)
  return cold
}
