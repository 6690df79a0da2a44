import { type CostEstimates, mostNsOf, numbersOf, placeOf, workFor } from '../costs.js'
import type { ResultCache } from '../results/result-cache.js'
import type { Computation } from './bulk-layout.js'

/** What a computation of a bulk answer costs, in nanoseconds: estimated, and at most. */
interface Cost {
  readonly ns: number
  readonly mostNs: number
  /** Whether its results are kept, and lack little. */
  readonly isWarm: boolean
}

/** What the computations of a bulk answer cost. */
export interface BulkPlan {
  /** For each computation. */
  readonly costs: readonly Cost[]
  /** Whether those that are not warm are computed on the event loop, too. */
  readonly isColdInline: boolean
  /** The bytes of the values of the warm ones as text, about. */
  readonly warmBytes: number
  /** The bytes that the results of the others take when they are kept, about. */
  readonly coldBytes: number
}

/** The text of one number, in bytes. */
const numberBytes = 18

/**
 * Looks for kept results of computations, which are noted in them, and estimates what all cost. Those that are not warm are
 * computed on the event loop where together they take no more than `inlineNs`.
 */
export function planBulk(
  computations: readonly Computation[],
  estimates: CostEstimates,
  cache: ResultCache | undefined,
  inlineNs: number,
): BulkPlan {
  let [coldNs, coldBytes, numbers] = [0, 0, 0]
  let isEachShort = true
  const costs = computations.map((computation): Cost => {
    const { query, snapshot } = computation
    const kept = cache?.find(query, snapshot)
    if (kept) computation.kept = kept
    if (kept && cache?.isWarm(kept, query, snapshot)) {
      const work = { candles: Math.max(0, snapshot.closed - kept.results.included), isKept: true }
      const mostNs = mostNsOf(query, snapshot, work)
      if (placeOf(mostNs) === 'here') {
        numbers += numbersOf(query, snapshot)
        return { ns: estimates.estimate(query, snapshot, work), mostNs, isWarm: true }
      }
    }
    // What is kept is computed over all closed candles, whichever of them are requested.
    const work = kept ? { candles: snapshot.count, isKept: false } : workFor(query, snapshot)
    const [ns, mostNs] = [estimates.estimate(query, snapshot, work), mostNsOf(query, snapshot, work)]
    if (kept) coldBytes += cache?.bytesToKeep(kept, query, snapshot) ?? 0
    coldNs += ns
    isEachShort &&= placeOf(mostNs) === 'here'
    return { ns, mostNs, isWarm: false }
  })
  const isColdInline = coldNs <= inlineNs && isEachShort
  return { costs, isColdInline, warmBytes: numbers * numberBytes, coldBytes }
}

/** Computations that one thread runs, with their weight in nanoseconds. */
export interface Run {
  readonly computations: readonly Computation[]
  readonly weight: number
}

/**
 * Cuts computations into at most `count` runs of about equal weight. Runs keep the order of the request, so that their
 * texts only have to be joined, and most series are used by one thread only.
 */
export function cutIntoRuns(
  computations: readonly Computation[],
  weights: readonly number[],
  count: number,
): readonly Run[] {
  const runs: Run[] = []
  let rest = weights.reduce((sum, weight) => sum + weight, 0)
  let begin = 0
  let weight = 0
  for (const [at, own] of weights.entries()) {
    weight += own
    const isLast = at === weights.length - 1
    const isFull = weight + (weights[at + 1] ?? 0) / 2 >= rest / (count - runs.length)
    if (!isLast && (!isFull || runs.length === count - 1)) continue
    runs.push({ computations: computations.slice(begin, at + 1), weight })
    begin = at + 1
    rest -= weight
    weight = 0
  }
  return runs
}
