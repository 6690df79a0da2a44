import type { Snapshot } from '../candles/columns.js'
import type { Entry, Values } from '../catalogue/index.js'
import type { IndicatorSpec, Query } from '../contract/query.js'
import { isExpression } from '../expression/compile.js'
import type { NodeWork } from '../expression/plan.js'
import { turnNs } from '../runtime/event-loop.js'
import { isScript } from './expression/pointwise.js'
import { isStateless } from './kernels/calculator.js'

/** The cost of a kernel that has not run yet, in nanoseconds per candle: more than most kernels take. */
const assumedNs = 20
/** The cost of a kernel that says nothing else, at most about, in nanoseconds per candle. */
const mostNs = 400
/** The cost of an operation of an expression, in nanoseconds per candle. */
const operationNs = 1
/** The cost of an operation that JavaScript computes, and of a value of earlier candles. */
const scriptNs = 60
const historyNs = 15
/** The cost of making the candles of a longer timeframe, in nanoseconds per candle. */
const timelineNs = 300
/** The cost of setting up one calculation, in nanoseconds. */
const setupNs = 1_500
/** The cost of writing one number as text, in nanoseconds. */
const numberNs = 90
/** The cost of a step with its text, in nanoseconds, about. */
const stepNs = 1_000
/** The cost of copying the text of one number, in nanoseconds. */
const copyNs = 3
/** The weight of a higher measurement: it is more often caused by other load than by a slower kernel. */
const riseWeight = 1 / 16

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

  /** Nanoseconds per candle. */
  nsPerCandle(indicator: string): number {
    return this.#known.get(indicator) ?? assumedNs
  }

  /** Nanoseconds per candle; NaN where its kernel was not measured yet. */
  measured(indicator: string): number {
    return this.#known.get(indicator) ?? Number.NaN
  }

  /** Nanoseconds per candle of an indicator, or of the indicators and operations of an expression. */
  #nsOf({ indicator, params }: Query): number {
    return nsOf(indicator, params, each => this.nsPerCandle(each.name))
  }

  /** Estimated nanoseconds to answer a query, for which the kernel runs over so many candles. */
  estimate(query: Query, snapshot: Snapshot, candles: number = candlesToRun(query, snapshot)): number {
    return setupNs + candles * this.#nsOf(query) + numbersOf(query, snapshot) * numberNs
  }

  /** Estimated nanoseconds to answer a query from results that are kept and include so many closed candles. */
  estimateKept(query: Query, snapshot: Snapshot, included: number): number {
    const added = Math.max(0, snapshot.closed - included)
    const addedNs = added === 0 ? 0 : added * (this.#nsOf(query) + numberNs)
    return stepNs + addedNs + numbersOf(query, snapshot) * copyNs
  }
}

/** Where a computation runs: in the present turn of the event loop, in a thread, or in parts in several turns. */
export type Place = 'here' | 'thread' | 'turns'

/**
 * Where a computation runs that takes so many nanoseconds at most. All routes decide by this. One that has no thread to go to,
 * or goes on from a state that is here, is cut into parts.
 */
export const placeOf = (mostNs: number, hasThread = true): Place =>
  mostNs <= turnNs ? 'here' : hasThread ? 'thread' : 'turns'

/**
 * Nanoseconds that the answer to a query takes at most, about. Unlike the estimate it does not depend on what was measured
 * with shorter parameters. `candles` is what the kernel runs over.
 */
export const mostNsOf = (
  query: Query,
  snapshot: Snapshot,
  candles: number = candlesOf(query, snapshot),
): number => candles * mostNsPerCandle(query) + numbersOf(query, snapshot) * numberNs

/** Nanoseconds that an answer from kept results takes at most, about, over so many candles that they lack. */
export const mostNsKept = (query: Query, snapshot: Snapshot, candles: number): number =>
  stepNs + candles * (mostNsPerCandle(query) + numberNs) + numbersOf(query, snapshot) * copyNs

/** Nanoseconds that one candle of a calculation takes at most, about. */
export const mostNsPerCandle = ({ indicator, params }: IndicatorSpec): number =>
  nsOf(indicator, params, () => mostNs)

/** The candles that a kernel reads for a query whose results are not kept: the newest ones where it has no state. */
export function candlesToRun(query: Query, snapshot: Snapshot): number {
  const candles = candlesOf(query, snapshot)
  if (!isStateless(query)) return candles
  return Math.min(candles, query.results + query.indicator.lookback(query.params))
}

const candlesOf = ({ backtrack }: Query, { count }: Snapshot): number => Math.max(0, count - backtrack)

/** Nanoseconds per candle of an indicator, or of the indicators and operations of an expression. */
function nsOf(indicator: Entry, params: Values, nsPerCandle: (indicator: Entry) => number): number {
  const nsOfOne = (each: Entry, its: Values) => Math.max(nsPerCandle(each), each.work(its))
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
export function numbersOf({ indicator, params, results, backtrack }: Query, { count }: Snapshot): number {
  const values = results === 1 ? 1 : Math.min(results, count - backtrack - indicator.warmup(params))
  return Math.max(0, values) * (indicator.outputs.length + 1)
}
