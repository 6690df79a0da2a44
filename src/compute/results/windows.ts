import { rewind, type Snapshot } from '../../candles/columns.js'
import type { Query } from '../../contract/query.js'
import type { Calculator } from '../kernels/calculator.js'
import type { ResultSeries, Window } from './result-series.js'

/** How many values of the newest closed candles a query needs, counted back from the newest one; Infinity for all. */
export function wantedBy(
  { warmup }: ResultSeries,
  { results, backtrack }: Query,
  { closed, count }: Snapshot,
): number {
  if (results === Number.POSITIVE_INFINITY) return results
  const from = Math.max(warmup, Math.max(0, count - backtrack) - results)
  return Math.max(0, closed - from)
}

/** The first candle of a query's window in a calculation that has all its values. */
function firstOf(results: ResultSeries, query: Query, snapshot: Snapshot): number {
  if (query.results === Number.POSITIVE_INFINITY) return results.firstValueIn(snapshot)
  return Math.max(results.warmup, snapshot.count - query.results)
}

function windowFrom(results: ResultSeries, query: Query, snapshot: Snapshot): Window {
  const from = firstOf(results, query, snapshot)
  return { snapshot, from, masked: withheldFrom(query, from) }
}

/** How many values from candle `from` on are masked in the answer to a query that is not refused. */
export const withheldFrom = ({ settled }: Query, from: number): number =>
  settled === undefined ? 0 : Math.max(0, settled.first - from)

/** The window of a query in a calculation that includes all closed candles and has all values that it needs. */
export function windowOf(
  calculator: Calculator,
  results: ResultSeries,
  query: Query,
  current: Snapshot,
): Window {
  const snapshot = rewind(current, query.backtrack)
  if (snapshot.forming) results.preview(calculator, snapshot)
  return windowFrom(results, query, snapshot)
}

/**
 * The window of a query in a calculation that includes more closed candles than the snapshot; undefined where it does
 * not have all values, such as that of a candle that was forming then.
 */
export function windowOfPast(results: ResultSeries, query: Query, current: Snapshot): Window | undefined {
  const snapshot = rewind(current, query.backtrack)
  if (snapshot.forming) return undefined
  const { warmup } = results
  const isAll = query.results === Number.POSITIVE_INFINITY
  if (!results.covers(isAll ? warmup : Math.max(warmup, snapshot.count - query.results), snapshot.closed))
    return undefined
  return windowFrom(results, query, snapshot)
}
