import { endOf, type Timeframe } from '../../candles/timeframe.js'
import type { JsonObject } from '../../contract/json-value.js'
import { isRefusal, type Refusal, refusal } from '../../contract/refusals.js'
import { answer, type ToolAnswer } from './tool.js'
import { csv, oldNote, short, timeText } from './values.js'

/** The most values of an answer, so that it takes little of a model's context. */
export const maxValues = 1_600

/** The rows that a model asks for, checked. */
export interface AskedRows {
  readonly symbols: readonly string[]
  /** Undefined of candles of the model's own. */
  readonly timeframe?: Timeframe | undefined
  /** Whether candles have a time. Those without one are counted. */
  readonly isTimed: boolean
  /** How many rows of each market are given, and whether more were asked for. */
  readonly results: number
  readonly isCut: boolean
  readonly backtrack: number
  /** The first and the last open time; undefined where the newest rows are wanted. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly forming: boolean
}

/** The window of values that the service is asked for. */
export interface AskedWindow {
  readonly results?: number
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** The values of one market as the service answers them. */
type Values = Readonly<Record<string, readonly unknown[]>> & { readonly timestamp: readonly number[] }

/** The ids of a bulk request: that of a market by its place, and that of its values. */
export const idOf = (at: number): string => `m${at}`
export const valueId = 'v'

/** A bulk answer. */
export type AnsweredMarkets = Readonly<Record<string, AnsweredMarket>>
interface AnsweredMarket {
  readonly _error?: string
  /** Of old candles: seconds since the newest one ended. */
  readonly _age?: number
  readonly v: {
    readonly result: Values | null
    readonly errors: readonly string[]
    readonly warnings?: readonly string[]
  } | null
}

interface Row {
  readonly timestamp: number
  readonly values: readonly unknown[]
  readonly isForming: boolean
}

/** What is given of one market. */
interface MarketRows {
  readonly names: readonly string[]
  readonly rows: readonly Row[]
  readonly notes: readonly string[]
}

/** The answer from the values of all markets. One market alone is refused where it has none. */
export function composeRows(
  answered: AnsweredMarkets,
  asked: AskedRows,
  window: AskedWindow,
  now: number,
): ToolAnswer | Refusal {
  const { symbols, timeframe, forming, isTimed } = asked
  const isOne = symbols.length === 1
  const timeOf = ({ timestamp }: Row) => (isTimed ? timeText(timestamp) : String(timestamp))
  const results: JsonObject[] = []
  const lines: (readonly unknown[])[] = []
  const notes = new Set<string>()
  let header: readonly string[] = []
  for (const [at, symbol] of symbols.entries()) {
    const found = marketRows(answered[idOf(at)] as AnsweredMarket, symbol, asked, window, now)
    if (isRefusal(found)) {
      if (isOne) return found
      results.push({ symbol, rows: [], error: found.error })
      notes.add(`${symbol}: ${found.error}`)
      continue
    }
    const { names, rows } = found
    header = names
    for (const note of found.notes) notes.add(note)
    for (const row of rows)
      lines.push([
        ...(isOne ? [] : [symbol]),
        timeOf(row),
        ...row.values,
        ...(forming ? [row.isForming] : []),
      ])
    const objects = rows.map(row => ({
      time: timeOf(row),
      ...Object.fromEntries(names.map((name, k) => [name, short(row.values[k])])),
      ...(row.isForming ? { forming: true } : {}),
    }))
    results.push({ ...(timeframe && { symbol }), rows: objects })
  }
  const time = isTimed ? 'time (UTC)' : 'candle'
  const columns = [...(isOne ? [] : ['symbol']), time, ...header, ...(forming ? ['forming'] : [])]
  return answer(csv(columns, lines), { results }, [...notes])
}

/** The rows of a market that are given, and what is said of them. */
function marketRows(
  { _error, _age, v }: AnsweredMarket,
  symbol: string,
  asked: AskedRows,
  window: AskedWindow,
  now: number,
): MarketRows | Refusal {
  const { timeframe, results, backtrack, from, forming } = asked
  if (_error !== undefined) return refusal(400, _error)
  if (!v?.result) return refusal(400, v?.errors[0] ?? 'No value')
  const { timestamp, ...values } = v.result as Values
  const names = Object.keys(values)
  const all = timestamp.map(
    (time, at): Row => ({
      timestamp: time,
      values: names.map(name => (values[name] as readonly unknown[])[at]),
      isForming: timeframe !== undefined && endOf(timeframe, time) > now,
    }),
  )
  const known = forming ? all : all.filter(({ isForming }) => !isForming)
  const end = Math.max(0, known.length - backtrack)
  const rows = from === undefined ? known.slice(Math.max(0, end - results), end) : known.slice(0, results)
  const rest = restOf(known, rows, asked, window, now)
  const warnings = rows.length < results ? (v.warnings ?? []) : []
  return {
    names,
    rows,
    notes: [
      ...warnings,
      ...(rows.length === 0 ? [`${symbol}: no candle that has closed.`] : []),
      ...(rows.at(-1)?.isForming
        ? ['The last row is forming: its values change until the candle closes.']
        : []),
      ...(_age === undefined ? [] : [oldNote(symbol, _age)]),
      ...(rest ? [rest] : []),
    ],
  }
}

/** How to get the rows that are not given; undefined where all are. */
function restOf(
  known: readonly Row[],
  shown: readonly Row[],
  { from, to, results, backtrack, isCut }: AskedRows,
  window: AskedWindow,
  now: number,
): string | undefined {
  if (from === undefined && to === undefined)
    return isCut
      ? `An answer has at most ${maxValues} values. backtrack=${backtrack + results} gives older rows.`
      : undefined
  if (from === undefined) {
    const before = known[known.length - shown.length - 1]
    return before && `to=${timeText(before.timestamp)} gives older rows.`
  }
  const last = window.to ?? now
  const next = known[shown.length]?.timestamp ?? (last < Math.min(to ?? now, now) ? last + 1 : undefined)
  return next === undefined ? undefined : `from=${timeText(next)} gives the next rows.`
}
