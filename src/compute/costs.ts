import type { Snapshot } from '../candles/columns.js'
import { othersOf } from '../candles/multi-market-columns.js'
import type { Entry, Values } from '../catalogue/index.js'
import type { IndicatorSpec, Query } from '../contract/query.js'
import { sliceNs } from '../runtime/scheduler.js'
import { hasOtherMarkets, isExpression } from './expressions/compile.js'
import type { NodeWork } from './expressions/plan.js'
import { isStateless } from './kernels/calculator.js'
import { isScript } from './plans/plan-runner.js'
import type { KeptResults, ResultCache } from './results/result-cache.js'

/** Assumed cost of a kernel that has not run yet, in nanoseconds per candle. Most kernels cost less. */
const assumedNs = 20
/** Approximate maximum cost of a kernel that declares no other, in nanoseconds per candle. */
const mostKernelNs = 400
/** The cost of an operation of an expression, in nanoseconds per candle. */
const operationNs = 1
/** Costs of an operation in JavaScript, and of a read of an earlier candle, in nanoseconds per candle. */
const scriptNs = 60
const historyNs = 15
/** Cost of building the candles of a longer timeframe, in nanoseconds per candle. */
const timelineNs = 300
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

/** A query over a snapshot. */
interface Computation {
  readonly query: Query
  readonly snapshot: Snapshot
  /** The cached calculation, if its results are kept. */
  readonly kept?: KeptResults | undefined
}

/** The number of candles of a snapshot. */
type Candles = Pick<Snapshot, 'count'>

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

  /** Records costs that a thread measured, in nanoseconds per candle by query. NaN where nothing was measured. */
  recordAll(queries: readonly { readonly indicator: string }[], measured: Float64Array): void {
    for (const [at, { indicator }] of queries.entries()) {
      const ns = measured[at] as number
      if (!Number.isNaN(ns)) this.record(indicator, 1, ns)
    }
  }

  /** Nanoseconds per candle. */
  nsPerCandle(indicator: string): number {
    return this.#known.get(indicator) ?? assumedNs
  }

  /** Nanoseconds per candle; NaN if the kernel has not been measured. */
  measured(indicator: string): number {
    return this.#known.get(indicator) ?? Number.NaN
  }

  /** Cost of a computation whose results may be in `cache`. */
  of({ query, snapshot, kept }: Computation, cache?: Pick<ResultCache, 'isWarm'>): Cost {
    const numbers = numbersOf(query, snapshot)
    if (kept && cache?.isWarm(kept, query, snapshot)) {
      const candles = Math.max(0, snapshot.closed - kept.results.included)
      const textNs = stepNs + candles * numberNs + numbers * copyNs
      const mostNs = textNs + (candles === 0 ? 0 : candles * mostNsPerCandle(query))
      if (mostNs <= sliceNs)
        return { ns: textNs + this.#kernelNs(query, candles), mostNs, candles, numbers, isWarm: true }
    }
    // Kept results include all closed candles, even if a request returns only some.
    const candles = (kept ? snapshot.count : candlesToRead(query, snapshot)) + otherCandles(query, snapshot)
    const textNs = setupNs + numbers * numberNs
    const ns = textNs + this.#kernelNs(query, candles)
    return { ns, mostNs: textNs + candles * mostNsPerCandle(query), candles, numbers, isWarm: false }
  }

  /** Estimated nanoseconds of a query without kept results, whose kernel runs over `candles` candles. */
  estimate(query: Query, snapshot: Candles, candles = candlesToRead(query, snapshot)): number {
    return setupNs + this.#kernelNs(query, candles) + numbersOf(query, snapshot) * numberNs
  }

  #kernelNs(query: Query, candles: number): number {
    return candles === 0 ? 0 : candles * nsOf(query, ({ name }) => this.nsPerCandle(name))
  }
}

/** Approximate maximum cost of one candle of a calculation, in nanoseconds. */
export const mostNsPerCandle = (spec: IndicatorSpec): number => nsOf(spec, () => mostKernelNs)

/**
 * Number of candles over which the kernel runs if results are not kept. A kernel without a state reads only the newest
 * ones.
 */
function candlesToRead(query: Query, { count }: Candles): number {
  const { indicator, params, results, backtrack } = query
  const read = isStateless(query) ? results + indicator.lookback(params) : Number.POSITIVE_INFINITY
  return Math.min(Math.max(0, count - backtrack), read)
}

/** Number of candles of other markets that an expression reads when it is computed over all candles. */
export const otherCandles = ({ indicator }: IndicatorSpec, snapshot: Snapshot): number =>
  hasOtherMarkets(indicator) ? othersOf(snapshot).reduce((sum, { closed }) => sum + closed, 0) : 0

/** Nanoseconds per candle of an indicator, or of the indicators and operations of an expression. */
function nsOf({ indicator, params }: IndicatorSpec, kernelNs: (indicator: Entry) => number): number {
  const nsOfOne = (each: Entry, its: Values) => Math.max(kernelNs(each), each.work(its))
  if (!isExpression(indicator)) return nsOfOne(indicator, params)
  const { nodes, timelines } = indicator.plan
  let ns = (timelines.length - 1) * timelineNs
  for (const node of nodes)
    ns += node.kind === 'calculation' ? nsOfOne(node.indicator, node.params) : nsOfNode(node)
  return ns
}

function nsOfNode(node: NodeWork): number {
  if (node.kind === 'history') return historyNs
  return node.kind === 'pointwise' && isScript(node.operation) ? scriptNs : operationNs
}

/** Number of values in the answer to a query, timestamps included. */
function numbersOf({ indicator, params, results, backtrack }: Query, { count }: Candles): number {
  const values = results === 1 ? 1 : Math.min(results, count - backtrack - indicator.warmup(params))
  return Math.max(0, values) * (indicator.outputs.length + 1)
}
