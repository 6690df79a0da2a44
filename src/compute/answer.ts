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

/** What fewer candles take is mostly the time before the first one. */
const minMeasured = 64

/** The values that answer a query, before they are written. Valid until the calculator is used again. */
export interface ComputedResult {
  readonly query: Query
  readonly snapshot: Snapshot
  /** The index of the first candle whose values are written. */
  readonly from: number
}

/**
 * Answers a query over a snapshot with the JSON text of the indicator's result: arrays of the newest `results` values
 * (fewer where the history is shorter), oldest first, aligned with `timestamp`. With `results` infinite they begin at
 * the first candle that has a value. With `cache` the values may come from results that it keeps.
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
 * Answers a query that is not refused from its kept results, which are brought up to date. False, and nothing is
 * written, where they cannot answer it.
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
 * The refusal of a query for which a snapshot, as it was `backtrack` candles ago, is too short. `warmup` is that of its
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

/** A query for a time as one for the number of values that this time has in a series of candles. */
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

/** The refusal of a time in which a series has no candles, or that begins before all that are known of it. */
export function refuseRange(range: TimeRange, results: number, snapshot: Snapshot): Refusal | undefined {
  const { count, isFull = false } = snapshot
  if (count === 0) return undefined
  const first = timestampAt(snapshot, 0)
  if (isFull && range.from < first && range.from !== Number.NEGATIVE_INFINITY)
    return rangeBeforeHistory(formatTime(first), count)
  if (results > 0) return undefined
  return nothingInRange(textOfRange(range), formatTime(first), formatTime(timestampAt(snapshot, count - 1)))
}

/** Computes the values that answer a query which is not refused. The time that the kernel took is recorded in `costs`. */
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

/** Writes values that are kept as JSON. */
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
 * How many digits of the newest value that answers a query have settled, at most 8; 0 where there is none, and over the bars of a
 * chart, which depend on where the history begins themselves.
 */
export function settledDigits(asked: Query, snapshot: Snapshot): number {
  if (asked.chart) return 0
  const { backtrack } = withinRange(asked, snapshot)
  return settledDigitsAt(asked, snapshot.count - backtrack - 1)
}

/** How many digits of the value of candle `at` of a history have settled. */
export const settledDigitsAt = ({ indicator, params }: Query, at: number): number =>
  firstSettled(indicator, params).filter(first => first <= at).length

/** What a reply says about its values beside them. */
export interface AnswerWarnings {
  /** How many digits of the newest value have settled, where a query asks for settled ones. */
  readonly settledDigits?: number | undefined
  /** Why there are fewer values than a query asks for, where that is so. */
  readonly fewer?: string | undefined
}

/** What there is to say about the answer to a query that is not refused; `bars` are those of its chart, or the candles. */
export const warningsOf = (query: Query, bars: Snapshot): AnswerWarnings => ({
  settledDigits: query.settled && settledDigits(query, bars),
  fewer: fewerThanAsked(query, bars, query.results === 1 ? 0 : query.indicator.warmup(query.params)),
})

/** Why fewer values than `results` are given, of which the first `warmup` candles have none; undefined where all are. */
export function fewerThanAsked(
  { results, backtrack, range }: QueryWindow,
  { count, isFull }: Snapshot,
  warmup: number,
): string | undefined {
  if (results === 1 || results === Number.POSITIVE_INFINITY || range) return undefined
  const given = count - backtrack - warmup
  return given < results ? fewerValues(given, results, isFull === true) : undefined
}

/** How far values have settled. */
export interface Settling {
  /** How many digits of the newest value have. */
  readonly digits: number
  /** When the first candle opens whose value has as many as are asked for, or four; null where there is none. */
  readonly from: number | null
}

/** The index of the first candle whose value has as many settled digits as a query asks for, or four; undefined for none. */
export const settledIndex = ({ indicator, params, settled }: Query): number | undefined =>
  firstSettled(indicator, params)[(settled?.digits ?? usualDigits) - 1]

/** How far the values have settled that answer a query. */
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
