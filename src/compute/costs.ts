import type { Snapshot } from '../candles/columns.js'
import { othersOf } from '../candles/multi-market-columns.js'
import type { IndicatorSpec, Query } from '../contract/query.js'
import { sliceNs } from '../runtime/scheduler.js'
import { hasOtherMarkets } from './expressions/compile.js'
import { type Shape, shapeOf } from './kernels/shape.js'
import { isWarm, type ResultSeries } from './results/result-series.js'

/** Assumed cost of a kernel that has not run yet, in nanoseconds per candle. Most kernels cost less. */
const assumedNs = 20
/** Costs of setting up one calculation, and of one live step with its text, in nanoseconds. */
const setupNs = 1_500
const stepNs = 1_000
/** Costs of formatting one number as text, and of copying a finished text, in nanoseconds. */
const numberNs = 90
const copyNs = 3
/**
 * Weight of a measurement above the estimate. The weight is small, because a higher measurement is usually caused by
 * other load.
 */
const riseWeight = 1 / 16

/** Estimated cost of a computation. Determined once, it decides where the computation runs. */
export interface Cost {
  /** Estimate from measurements. */
  readonly ns: number
  /** Approximate maximum. Does not depend on measurements with shorter parameters. */
  readonly mostNs: number
  /** Number of candles for which the kernel is run. */
  readonly candles: number
  /** Number of values in the answer, timestamps included. */
  readonly numbers: number
  /** Whether the results are cached and lack only a few candles. */
  readonly isWarm: boolean
}

/**
 * Costs of kernels on this machine, measured as they run. A lower measurement replaces the estimate at once; a higher
 * one raises it slowly.
 */
export class CostEstimates {
  /** Nanoseconds per candle by indicator. */
  readonly #known = new Map<string, number>()

  /** Records that the kernel of an indicator took `ns` nanoseconds for `candles`. */
  record(indicator: string, candles: number, ns: number): void {
    const measured = ns / candles
    const known = this.#known.get(indicator)
    this.#known.set(
      indicator,
      known === undefined || measured < known ? measured : known + (measured - known) * riseWeight,
    )
  }

  /** Records costs that a thread measured, in nanoseconds per candle by indicator. NaN where nothing was measured. */
  recordAll(measured: ReadonlyMap<string, number>): void {
    for (const [indicator, ns] of measured) if (!Number.isNaN(ns)) this.record(indicator, 1, ns)
  }

  /** Nanoseconds per candle; NaN if the kernel has not been measured. */
  measured(indicator: string): number {
    return this.#known.get(indicator) ?? Number.NaN
  }

  /** Cost of a query over a snapshot, whose results may be kept in `results`. */
  of(query: Query, snapshot: Snapshot, results?: ResultSeries): Cost {
    const shape = shapeOf(query)
    const { warmup, lookback, isStateless, mostNsPerCandle, formats } = shape
    const left = Math.max(0, snapshot.count - query.backtrack)
    const values = query.results === 1 ? 1 : Math.max(0, Math.min(query.results, left - warmup))
    const numbers = values * (formats.length + 1)
    if (results && isWarm(results, query, snapshot)) {
      const candles = Math.max(0, snapshot.closed - results.included)
      const textNs = stepNs + candles * numberNs + numbers * copyNs
      const mostNs = textNs + candles * mostNsPerCandle
      if (mostNs <= sliceNs)
        return { ns: textNs + this.#kernelNs(shape, candles), mostNs, candles, numbers, isWarm: true }
    }
    // Kept results include all closed candles, even if a request returns only some. A kernel without a state reads only
    // the newest ones.
    const own = results ? snapshot.count : Math.min(left, isStateless ? query.results + lookback : left)
    const candles = shape.plan ? own + otherCandles(query, snapshot) : own
    const textNs = setupNs + numbers * numberNs
    const ns = textNs + this.#kernelNs(shape, candles)
    return { ns, mostNs: textNs + candles * mostNsPerCandle, candles, numbers, isWarm: false }
  }

  #kernelNs({ kernels, operationsNs }: Shape, candles: number): number {
    if (candles === 0) return 0
    let ns = operationsNs
    for (const { name, workNs } of kernels) ns += Math.max(this.#known.get(name) ?? assumedNs, workNs)
    return candles * ns
  }
}

/** Number of candles of other markets that an expression reads when it is computed over all candles. */
export const otherCandles = ({ indicator }: IndicatorSpec, snapshot: Snapshot): number =>
  hasOtherMarkets(indicator) ? (othersOf(snapshot)?.reduce((sum, { closed }) => sum + closed, 0) ?? 0) : 0
