import type { Snapshot } from '../candles/columns.js'
import { othersOf } from '../candles/multi-market-columns.js'
import type { Entry, Values } from '../catalogue/index.js'
import type { IndicatorSpec, Query } from '../contract/query.js'
import { sliceNs } from '../runtime/scheduler.js'
import { hasOtherMarkets, isExpression } from './expressions/compile.js'
import type { NodeWork } from './expressions/plan.js'
import { isStateless } from './kernels/calculator.js'
import { isScript } from './plans/pointwise.js'
import type { ResultCache } from './results/result-cache.js'

/** The cost of a kernel that has not run yet, in nanoseconds per candle: more than most kernels take. */
const assumedNs = 20
/** The cost of a kernel that says nothing else, at most about, in nanoseconds per candle. */
const mostKernelNs = 400
/** The cost of an operation of an expression, in nanoseconds per candle. */
const operationNs = 1
/** The cost of an operation that JavaScript computes, and of a value of earlier candles. */
const scriptNs = 60
const historyNs = 15
/** The cost of making the candles of a longer timeframe, in nanoseconds per candle. */
const timelineNs = 300
/** The cost of setting up one calculation, and of a step with its text, in nanoseconds. */
const setupNs = 1_500
const stepNs = 1_000
/** The cost of writing one number as text, and of copying the text of one, in nanoseconds. */
const numberNs = 90
const copyNs = 3
/** The weight of a higher measurement: it is more often caused by other load than by a slower kernel. */
const riseWeight = 1 / 16

/** How many candles there are. */
type Candles = Pick<Snapshot, 'count'>

/** What an answer takes apart from the kernel. */
export interface AnswerWork {
  /** For how many candles the kernel is run. */
  readonly candles: number
  /** Whether the texts of all other values are there. */
  readonly isKept: boolean
}

/**
 * What kernels cost on this machine, measured as they run: a lower measurement is taken over at once, higher ones
 * raise the estimate slowly.
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

  /** Records the costs of queries that were measured in a thread, in nanoseconds per candle; NaN where they were not. */
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

  /** Nanoseconds per candle; NaN where its kernel was not measured yet. */
  measured(indicator: string): number {
    return this.#known.get(indicator) ?? Number.NaN
  }

  /** Estimated nanoseconds to answer a query. */
  estimate(query: Query, snapshot: Candles, work = workFor(query, snapshot)): number {
    // Most kept results lack no candle.
    const ns = work.candles === 0 ? 0 : nsOf(query, ({ name }) => this.nsPerCandle(name))
    return nsOfAnswer(query, snapshot, work, ns)
  }
}

/**
 * Nanoseconds that the answer to a query takes at most, about. Unlike the estimate it does not depend on what was measured
 * with shorter parameters.
 */
export const mostNsOf = (query: Query, snapshot: Snapshot, work: AnswerWork): number =>
  nsOfAnswer(query, snapshot, work, work.candles === 0 ? 0 : mostNsPerCandle(query))

function nsOfAnswer(query: Query, snapshot: Candles, { candles, isKept }: AnswerWork, ns: number): number {
  const numbers = numbersOf(query, snapshot)
  return isKept
    ? stepNs + candles * (ns + numberNs) + numbers * copyNs
    : setupNs + candles * ns + numbers * numberNs
}

/** Where a computation runs: in the present turn of the event loop, in a thread, or in parts in several turns. */
export type Place = 'here' | 'thread' | 'turns'

/**
 * Where a computation runs that takes so many nanoseconds at most. All routes decide by this. One that has no thread to go to,
 * or goes on from a state that is here, is cut into parts.
 */
export const placeOf = (mostNs: number, hasThread = true): Place =>
  mostNs <= sliceNs ? 'here' : hasThread ? 'thread' : 'turns'

/** Nanoseconds that one candle of a calculation takes at most, about. */
export const mostNsPerCandle = (spec: IndicatorSpec): number => nsOf(spec, () => mostKernelNs)

/** The work for a query whose results are not kept: a kernel without a state reads the newest candles alone. */
export function workFor(query: Query, { count }: Candles): AnswerWork {
  const { indicator, params, results, backtrack } = query
  const read = isStateless(query) ? results + indicator.lookback(params) : Number.POSITIVE_INFINITY
  return { candles: Math.min(Math.max(0, count - backtrack), read), isKept: false }
}

/** Whether the answer to a query is computed at once, whose results are kept in `cache`, if there is one. */
export function isShort(
  query: Query,
  snapshot: Snapshot,
  cache: Pick<ResultCache, 'candlesToRun'> | undefined,
): boolean {
  // What is kept is computed over all closed candles, whichever of them are requested.
  const own = cache ? snapshot.count : workFor(query, snapshot).candles
  const whole = { candles: own + otherCandles(query, snapshot), isKept: false }
  if (placeOf(mostNsOf(query, snapshot, whole)) === 'here') return true
  const candles = cache?.candlesToRun(query, snapshot) ?? own
  return candles < own && placeOf(mostNsOf(query, snapshot, { candles, isKept: true })) === 'here'
}

/** How many candles of other markets an expression is computed over, too, where it is computed over all candles. */
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

/** The numbers in the answer to a query, timestamps included. */
export function numbersOf({ indicator, params, results, backtrack }: Query, { count }: Candles): number {
  const values = results === 1 ? 1 : Math.min(results, count - backtrack - indicator.warmup(params))
  return Math.max(0, values) * (indicator.outputs.length + 1)
}
