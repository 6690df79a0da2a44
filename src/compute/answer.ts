import {
  allBefore,
  allUntil,
  type Inputs,
  type OtherCandles,
  rewind,
  type Snapshot,
  timestampAt,
} from '../candles/columns.js'
import { formatTime } from '../candles/format-time.js'
import { firstSettled, usualDigits } from '../catalogue/fading.js'
import type { Query, QueryWindow } from '../contract/query.js'
import {
  fewerValues,
  isRefusal,
  notEnoughCandles,
  nothingInRange,
  notSettled,
  type Refusal,
  rangeBeforeHistory,
} from '../contract/refusals.js'
import { type TimeRange, textOfRange } from '../contract/time-range.js'
import { sliceNs } from '../runtime/scheduler.js'
import type { ExpressionEntry } from './expressions/compile.js'
import { type JsonSink, StringSink } from './json/sink.js'
import { type Rows, writeOutputs } from './json/text-column.js'
import type { Calculator } from './kernels/calculator.js'
import { shapeOf } from './kernels/shape.js'
import { isLongEnough } from './plans/timeline-candles.js'
import type { KeptResults, ResultCache } from './results/result-cache.js'
import { isWarm, maskedFrom, type ResultSeries } from './results/result-series.js'

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

  /** Cost of a query over candles, whose results may be kept in `results`. */
  of(query: Query, inputs: Inputs, results?: ResultSeries): Cost {
    const snapshot = inputs[0]
    const shape = results?.shape ?? shapeOf(query)
    const { warmup, lookback, isStateless, mostNsPerCandle, formats } = shape
    let kernelNs = shape.operationsNs
    for (const { name, workNs } of shape.kernels)
      kernelNs += Math.max(this.#known.get(name) ?? assumedNs, workNs)
    const left = Math.max(0, snapshot.count - query.backtrack)
    const values = query.results === 1 ? 1 : Math.max(0, Math.min(query.results, left - warmup))
    const numbers = values * (formats.length + 1)
    if (results && isWarm(results, query, snapshot)) {
      const candles = Math.max(0, snapshot.closed - results.included)
      const textNs = stepNs + candles * numberNs + numbers * copyNs
      const mostNs = textNs + candles * mostNsPerCandle
      if (mostNs <= sliceNs)
        return { ns: textNs + candles * kernelNs, mostNs, candles, numbers, isWarm: true }
    }
    // To update kept results, the kernel runs over all closed candles, however many values are requested. Without kept
    // results, a kernel without a state reads only the candles that its values depend on.
    const own = results ? snapshot.count : Math.min(left, isStateless ? query.results + lookback : left)
    const candles = inputs.length > 1 ? own + otherCandles(inputs) : own
    const textNs = setupNs + numbers * numberNs
    return {
      ns: textNs + candles * kernelNs,
      mostNs: textNs + candles * mostNsPerCandle,
      candles,
      numbers,
      isWarm: false,
    }
  }
}

/** Number of candles of other markets that an expression reads when it is computed over all candles. */
export function otherCandles(inputs: Inputs): number {
  let sum = 0
  for (let k = 1; k < inputs.length; k++) sum += (inputs[k] as OtherCandles).closed
  return sum
}

/** Minimum number of candles for a cost measurement. Below it the fixed cost of a call dominates. */
const minMeasured = 64

/** The values that answer a query, before they are written. Valid until the calculator is used again. */
export interface ComputedResult extends Rows {
  readonly query: Query
  readonly snapshot: Snapshot
}

/** Parts with which a thread computes values. */
export interface Computing {
  readonly calculator: Calculator
  /** Records the time of kernels. */
  readonly costs?: CostEstimates | undefined
  /** Cache of the results of series in memory. */
  readonly cache?: ResultCache | undefined
}

/**
 * Computes the answer to a query as JSON text: arrays of the newest `results` values, oldest first, aligned with
 * `timestamp`. A shorter history has fewer values. With infinite `results` the arrays begin at the first candle that
 * has a value. With `cache`, kept results may be used.
 */
export function answer(
  calculator: Calculator,
  asked: Query,
  inputs: Inputs,
  cache?: ResultCache,
): string | Refusal {
  const query = fitQuery(asked, inputs)
  if (isRefusal(query)) return query
  const sink = new StringSink(calculator.writer)
  writeValues({ calculator, cache }, { query, inputs, kept: cache?.find(query, inputs[0]) }, sink)
  return sink.text
}

/** A query that is not refused, over its candles. */
export interface Computation {
  readonly query: Query
  readonly inputs: Inputs
  /** The cached calculation, if its results are kept. */
  kept?: KeptResults | undefined
}

/** Writes the answer to a query as JSON: from its kept results, which it updates, or from a run of the kernel. */
export function writeValues(
  { calculator, costs, cache }: Computing,
  { query, inputs, kept }: Computation,
  sink: JsonSink,
): void {
  const window = kept && cache?.prepare(calculator, kept, query, inputs)
  const written = window ?? computeResult(calculator, query, inputs, costs)
  if (window) window.values.write(sink, window, window.snapshot.closed)
  else writeOutputs(sink, shapeOf(query).formats, calculator.outputs, written)
  calculator.timestamps.write(sink, written.snapshot, written.from)
}

/** Fits a query to candles: converts its time range to `results` and `backtrack`. Refuses it if they are too few. */
export function fitQuery(asked: Query, inputs: Inputs): Query | Refusal {
  const query = asked.range ? withinRange(asked, inputs[0]) : asked
  return refuseShort(query, inputs) ?? query
}

/** Refuses a query if its candles, rewound by `backtrack` candles, are too few. */
export function refuseShort(
  query: Query,
  inputs: Inputs,
  warmup = query.indicator.warmup(query.params),
): Refusal | undefined {
  const snapshot = inputs[0]
  const { indicator, backtrack, results, range, settled } = query
  const { plan, depth = 0 } = indicator as Partial<ExpressionEntry>
  const outside = range && refuseRange(range, results, snapshot)
  if (outside) return outside
  const left = Math.max(0, snapshot.count - backtrack)
  if (settled && settled.first > warmup && left <= settled.first)
    return notSettled(indicator.name, settled.digits, settled.first + 1, left, snapshot.isFull === true)
  if (plan && !isLongEnough({ plan, depth }, inputs, backtrack))
    return notEnoughCandles(indicator.name, depth, left, snapshot.isFull)
  return left <= warmup ? notEnoughCandles(indicator.name, warmup + 1, left, snapshot.isFull) : undefined
}

/** Converts the time range of a query to `results` and `backtrack` for the given candles. */
export function withinRange<Window extends QueryWindow>(query: Window, snapshot: Snapshot): Window {
  const { range } = query
  if (range === undefined) return query
  const end = allUntil(snapshot, range.to)
  return {
    ...query,
    results: end - Math.min(end, allBefore(snapshot, range.from)),
    backtrack: snapshot.count - end,
  }
}

/** Refuses a range that contains no candles, or that begins before the oldest candle of a full series. */
export function refuseRange(range: TimeRange, results: number, snapshot: Snapshot): Refusal | undefined {
  const { count, isFull = false } = snapshot
  if (count === 0) return undefined
  const first = timestampAt(snapshot, 0)
  if (isFull && range.from < first && range.from !== Number.NEGATIVE_INFINITY)
    return rangeBeforeHistory(formatTime(first), count)
  if (results > 0) return undefined
  return nothingInRange(textOfRange(range), formatTime(first), formatTime(timestampAt(snapshot, count - 1)))
}

/** Computes the values for a query that is not refused. Records the time of the kernel in `costs`. */
export function computeResult(
  calculator: Calculator,
  query: Query,
  current: Inputs,
  costs?: CostEstimates,
): ComputedResult {
  const { indicator, results, backtrack, settled } = query
  const { warmup, isStateless } = shapeOf(query)
  const inputs = backtrack === 0 ? current : rewind(current, backtrack)
  const snapshot = inputs[0]
  const { count } = snapshot
  const isAll = results === Number.POSITIVE_INFINITY
  let from = isAll ? 0 : Math.max(warmup, count - results)
  const candles = isStateless ? count - from : count
  const isMeasured = costs !== undefined && candles >= minMeasured
  const start = isMeasured ? performance.now() : 0
  calculator.compute(query, inputs, from)
  if (isMeasured) costs.record(indicator.name, candles, (performance.now() - start) * 1e6)
  if (isAll) {
    from = warmup
    while (from < count && !calculator.hasValue(indicator.columns, from)) from++
  }
  return { query, snapshot, from, to: count, masked: settled ? maskedFrom(settled, from) : 0 }
}

/**
 * Number of settled digits of the newest value of an answer, at most 8; 0 if there is no value. Also 0 for bars of a
 * chart, because the bars themselves depend on the start of the history.
 */
export function settledDigits(asked: Query, snapshot: Snapshot): number {
  if (asked.chart) return 0
  const { backtrack } = withinRange(asked, snapshot)
  return settledDigitsAt(asked, snapshot.count - backtrack - 1)
}

/** Number of settled digits of the value at candle `at` of a history. */
export const settledDigitsAt = ({ indicator, params }: Query, at: number): number =>
  firstSettled(indicator, params).filter(first => first <= at).length

/** Notes of a reply about its values. */
export interface AnswerWarnings {
  /** Number of settled digits of the newest value, if the query requests settled values. */
  readonly settledDigits?: number | undefined
  /** The reason why the reply has fewer values than requested; undefined if it has all. */
  readonly fewer?: string | undefined
}

/**
 * Notes about the answer to a query that is not refused; undefined if there can be none. `bars` are the bars of its chart, or
 * the candles.
 */
export function warningsOf(query: Query, bars: Snapshot): AnswerWarnings | undefined {
  if (query.results === 1 && !query.settled) return undefined
  return {
    settledDigits: query.settled && settledDigits(query, bars),
    fewer: fewerThanAsked(query, bars, shapeOf(query).warmup),
  }
}

/**
 * The reason why an answer has fewer than `results` values; undefined if it has all. The first `warmup` candles have no
 * value.
 */
export function fewerThanAsked(
  { results, backtrack, range }: QueryWindow,
  { count, isFull }: Snapshot,
  warmup: number,
): string | undefined {
  if (results === 1 || results === Number.POSITIVE_INFINITY || range) return undefined
  const given = count - backtrack - warmup
  return given < results ? fewerValues(given, results, isFull === true) : undefined
}

/** Convergence of the values of an answer. */
export interface Settling {
  /** Number of settled digits of the newest value. */
  readonly digits: number
  /**
   * Open time of the first candle whose value has the requested number of settled digits, four by default. Null if
   * there is none.
   */
  readonly from: number | null
}

/**
 * Index of the first candle whose value has the requested number of settled digits, four by default; undefined if there
 * is none.
 */
export const settledIndex = ({ indicator, params, settled }: Query): number | undefined =>
  firstSettled(indicator, params)[(settled?.digits ?? usualDigits) - 1]

/** Convergence of the values that answer a query. */
export function settlingOf(asked: Query, snapshot: Snapshot): Settling {
  const first = settledIndex(asked)
  return {
    digits: settledDigits(asked, snapshot),
    from: !asked.chart && first !== undefined && first < snapshot.count ? timestampAt(snapshot, first) : null,
  }
}
