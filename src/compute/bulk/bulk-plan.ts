import { type CostEstimates, candlesToRun, mostNsKept, mostNsOf, numbersOf, placeOf } from '../costs.js'
import { StringSink } from '../json/sink.js'
import type { ResultCache } from '../results/result-cache.js'
import { type ComputeContext, type Segment, writeSegments } from './bulk-layout.js'

/** What the computations of a bulk answer cost, in estimated nanoseconds. */
export interface BulkPlan {
  /** For each segment whether it is a computation whose results are kept, and lack little. */
  readonly isWarm: readonly boolean[]
  /** For each segment what it takes at most. */
  readonly mostNs: readonly number[]
  /** What all take at most whose results are kept. */
  readonly warmMostNs: number
  /** What the costliest of the others takes at most. */
  readonly longestNs: number
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
  const most: number[] = []
  let [coldNs, coldBytes, longestNs, warmNs, warmMostNs, numbers] = [0, 0, 0, 0, 0, 0]
  for (const segment of segments) {
    let [warm, mostNs] = [false, 0]
    if (typeof segment !== 'string') {
      const { query, snapshot } = segment
      const kept = cache?.find(query, snapshot)
      if (kept) {
        segment.kept = kept
        if (cache?.isWarm(kept, query, snapshot)) {
          mostNs = mostNsKept(query, snapshot, Math.max(0, snapshot.closed - kept.results.included))
          warm = placeOf(mostNs) === 'here'
        }
      }
      if (kept && warm) {
        warmNs += costs.estimateKept(query, snapshot, kept.results.included)
        warmMostNs += mostNs
        numbers += numbersOf(query, snapshot)
      } else {
        // What is kept is computed over all closed candles, whichever of them are asked for.
        const candles = kept ? snapshot.count : candlesToRun(query, snapshot)
        mostNs = mostNsOf(query, snapshot, candles)
        longestNs = Math.max(longestNs, mostNs)
        coldNs += costs.estimate(query, snapshot, candles)
        if (kept) coldBytes += cache?.bytesToKeep(kept, query, snapshot) ?? 0
      }
    }
    isWarm.push(warm)
    most.push(mostNs)
  }
  const warmBytes = numbers * numberBytes
  return { isWarm, mostNs: most, warmNs, warmMostNs, warmBytes, coldNs, coldBytes, longestNs }
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
