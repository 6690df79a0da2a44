import { allBefore, allUntil, rewind, type Snapshot, timestampAt } from '../candles/columns.js'
import { formatTime } from '../candles/format-time.js'
import { firstSettled, usualDigits } from '../catalogue/fading.js'
import type { Query, QueryWindow } from '../contract/query.js'
import {
  fewerValues,
  notEnoughCandles,
  nothingInRange,
  notSettled,
  type Refusal,
  rangeBeforeHistory,
} from '../contract/refusals.js'
import { type TimeRange, textOfRange } from '../contract/time-range.js'
import type { CostEstimates } from './costs.js'
import { isExpression } from './expressions/compile.js'
import { formatAt, withholding } from './json/output-format.js'
import { type JsonSink, StringSink } from './json/sink.js'
import { type Calculator, isStateless } from './kernels/calculator.js'
import { isLongEnough } from './plans/timeline-candles.js'
import type { KeptResults, ResultCache } from './results/result-cache.js'
import { maskedFrom, type ResultSeries, type Window } from './results/result-series.js'

/** Minimum number of candles for a cost measurement. Below it the fixed cost of a call dominates. */
const minMeasured = 64

/** The values that answer a query, before they are written. Valid until the calculator is used again. */
export interface ComputedResult {
  readonly query: Query
  readonly snapshot: Snapshot
  /** The index of the first candle whose values are written. */
  readonly from: number
}

/**
 * Computes the answer to a query as JSON text: arrays of the newest `results` values, oldest first, aligned with
 * `timestamp`. A shorter history has fewer values. With infinite `results` the arrays begin at the first candle that
 * has a value. With `cache`, kept results may be used.
 */
export function answer(
  calculator: Calculator,
  asked: Query,
  snapshot: Snapshot,
  cache?: ResultCache,
): string | Refusal {
  const query = withinRange(asked, snapshot)
  const refusal = refuseShort(query, snapshot)
  if (refusal) return refusal
  const sink = new StringSink(calculator.writer)
  const kept = cache?.find(query, snapshot)
  if (!(kept && cache && tryWriteKept(calculator, cache, kept, query, snapshot, sink))) {
    if (!kept) cache?.count(false)
    writeResult(calculator, computeResult(calculator, query, snapshot), sink)
  }
  return sink.text
}

/**
 * Updates the kept results of a query that is not refused, and writes the answer from them. False if they cannot answer
 * the query; nothing is written then.
 */
export function tryWriteKept(
  calculator: Calculator,
  cache: ResultCache,
  kept: KeptResults,
  query: Query,
  snapshot: Snapshot,
  sink: JsonSink,
): boolean {
  const window = cache.prepare(calculator, kept, query, snapshot)
  if (window) writeKept(calculator, kept.results, window, sink)
  return window !== undefined
}

/**
 * Refuses a query if the snapshot, rewound by `backtrack` candles, is too short. `warmup` is the warm-up of the query's
 * indicator.
 */
export function refuseShort(
  { indicator, params, backtrack, results, range, settled }: Query,
  snapshot: Snapshot,
  warmup = indicator.warmup(params),
): Refusal | undefined {
  const outside = range && refuseRange(range, results, snapshot)
  if (outside) return outside
  const needed = warmup + 1
  const left = Math.max(0, snapshot.count - backtrack)
  if (settled && settled.first > warmup && left <= settled.first)
    return notSettled(indicator.name, settled.digits, settled.first + 1, left, snapshot.isFull === true)
  if (isExpression(indicator) && !isLongEnough(indicator, snapshot, backtrack))
    return notEnoughCandles(indicator.name, indicator.depth, left, snapshot.isFull)
  return left < needed ? notEnoughCandles(indicator.name, needed, left, snapshot.isFull) : undefined
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
  current: Snapshot,
  costs?: CostEstimates,
): ComputedResult {
  const { indicator, params, results, backtrack } = query
  const snapshot = rewind(current, backtrack)
  const { count } = snapshot
  const warmup = indicator.warmup(params)
  const isAll = results === Number.POSITIVE_INFINITY
  const wanted = isAll ? 0 : Math.max(warmup, count - results)
  const candles = isStateless(query) ? count - wanted : count
  const isMeasured = costs !== undefined && candles >= minMeasured
  const start = isMeasured ? performance.now() : 0
  calculator.compute(query, snapshot, wanted)
  if (isMeasured) costs.record(indicator.name, candles, (performance.now() - start) * 1e6)
  return { query, snapshot, from: isAll ? firstValue(calculator, indicator.columns, warmup, count) : wanted }
}

/** Writes values as JSON. */
export function writeResult(
  calculator: Calculator,
  { query, snapshot, from }: ComputedResult,
  sink: JsonSink,
): void {
  const { count } = snapshot
  const masked = maskedFrom(query, from)
  const first = from + masked
  for (const format of withholding(calculator.formatsOf(query.indicator), masked)) {
    sink.add(format.head)
    if (format.isNumber) calculator.write(sink, format.output.column, first, count)
    else
      for (let i = first; i < count; i++)
        sink.add((i > first ? ',' : '') + formatAt(format, k => calculator.value(k, i)))
  }
  calculator.timestamps.write(sink, snapshot, from)
}

/** Writes kept values as JSON. */
export function writeKept(
  calculator: Calculator,
  results: ResultSeries,
  window: Window,
  sink: JsonSink,
): void {
  results.write(calculator.writer, sink, window)
  calculator.timestamps.write(sink, window.snapshot, window.from)
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

/** Notes about the answer to a query that is not refused. `bars` are the bars of its chart, or the candles. */
export const warningsOf = (query: Query, bars: Snapshot): AnswerWarnings => ({
  settledDigits: query.settled && settledDigits(query, bars),
  fewer: fewerThanAsked(query, bars, query.results === 1 ? 0 : query.indicator.warmup(query.params)),
})

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

/** The first candle from `from` on that has a value in any output. */
function firstValue(calculator: Calculator, columns: number, from: number, count: number): number {
  let at = from
  while (at < count && !calculator.hasValue(columns, at)) at++
  return at
}
