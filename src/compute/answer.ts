import { rewind, type Snapshot } from '../candles/columns.js'
import type { Query } from '../contract/query.js'
import { notEnoughCandles, type Refusal } from '../contract/refusals.js'
import { isExpression } from '../expression/compile.js'
import type { Calculator } from './calculator.js'
import type { CostEstimates } from './costs.js'
import { isLongEnough } from './expression/long-enough.js'
import { formatNumberList } from './json/number-writer.js'
import { type JsonSink, StringSink } from './json/sink.js'
import { formatNames, formatsOf } from './output-format.js'
import type { KeptResults, ResultCache } from './results/result-cache.js'
import type { ResultSeries, Window } from './results/result-series.js'

/** The values that answer a query, before they are written. Valid until the calculator is used again. */
interface ComputedResult {
  readonly query: Query
  readonly snapshot: Snapshot
  readonly columns: readonly Float64Array[]
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
  query: Query,
  snapshot: Snapshot,
  cache?: ResultCache,
): string | Refusal {
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

/** The refusal of a query for which a snapshot, as it was `backtrack` candles ago, is too short. */
export function refuseShort(
  { indicator, params, backtrack }: Query,
  snapshot: Snapshot,
): Refusal | undefined {
  const needed = indicator.warmup(params) + 1
  const left = Math.max(0, snapshot.count - backtrack)
  if (isExpression(indicator) && !isLongEnough(indicator, snapshot, backtrack))
    return notEnoughCandles(indicator.name, indicator.depth, left)
  return left < needed ? notEnoughCandles(indicator.name, needed, left) : undefined
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
  const start = costs ? performance.now() : 0
  const { columns } = calculator.calculate(query, snapshot)
  costs?.record(indicator.name, count, (performance.now() - start) * 1e6)
  const from =
    results === Number.POSITIVE_INFINITY
      ? firstValue(columns, warmup, count)
      : Math.max(warmup, count - results)
  return { query, snapshot, columns, from }
}

/** Writes values as JSON. */
export function writeResult(
  calculator: Calculator,
  { query, snapshot, columns, from }: ComputedResult,
  sink: JsonSink,
): void {
  for (const { output, head, text } of formatsOf(query.indicator)) {
    const column = columns[output.column] as Float64Array
    sink.add(head)
    if (output.kind === 'names') {
      for (let i = from; i < snapshot.count; i++)
        sink.add((i > from ? ',' : '') + formatNames(output, k => columns[k]?.[i] as number))
    } else if (text) sink.add(formatNumberList(column, from, snapshot.count, text))
    else sink.addNumbers(column, from, snapshot.count)
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
  results.write(sink, window)
  calculator.timestamps.write(sink, window.snapshot, window.from)
}

/** The first candle from `from` on that has a value in any output. */
function firstValue(columns: readonly Float64Array[], from: number, count: number): number {
  let at = from
  while (at < count && columns.every(column => Number.isNaN(column[at]))) at++
  return at
}
