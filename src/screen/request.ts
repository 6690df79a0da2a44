import type { Timeframe } from '../candles/timeframe.js'
import { entriesOf } from '../contract/body.js'
import { idPattern } from '../contract/bulk.js'
import { isAbsent, isObject, type JsonObject, jsonText } from '../contract/json-value.js'
import { maxNameLength } from '../contract/limits.js'
import { refuseBadNames, refuseMissing, toMarket } from '../contract/market.js'
import { type Fields, type Query, readWindow } from '../contract/query.js'
import { expected, invalidValue, isRefusal, type Refusal, unknownParameter } from '../contract/refusals.js'
import {
  badSelectName,
  expressionFieldNotText,
  expressionOfWrongType,
  tooManySelected,
} from '../contract/screen-refusals.js'
import { type AskedSymbols, maxMarkets, readSymbols } from '../contract/symbols.js'
import { type CompiledExpression, compileExpressions } from '../expression/compile.js'
import { CompiledCache } from '../expression/compiled-cache.js'
import { maxSelected } from './limits.js'

/** A screen, checked and complete. The exchange need not exist. */
export interface ScreenRequest extends AskedSymbols {
  /** Lower case. */
  readonly exchange: string
  readonly timeframe: Timeframe
  /** All expressions as one plan: the condition, the selected ones, and what the matches are sorted by. */
  readonly compiled: CompiledExpression
  /** The calculation of that plan at the newest candle, or as many candles ago as the request says. */
  readonly query: Query
  /** The names of the selected expressions, whose outputs follow that of the condition. */
  readonly names: readonly string[]
  readonly order: ScreenOrder | undefined
  /** How many matches are given at most; Infinity for all. */
  readonly limit: number
}

/** What matches are sorted by. */
interface ScreenOrder {
  /** The output with the values. */
  readonly output: number
  readonly isDescending: boolean
}

/** Fields that every match has. */
export const matchFields: readonly string[] = ['symbol', 'timestamp']

/** Fields of a screen that goes on: it has no order, and only what is now. */
const acceptedLive = ['exchange', 'timeframe', 'symbols', 'quote', 'where', 'select']
const accepted = [...acceptedLive, 'orderBy', 'limit', 'backtrack']
const required = ['exchange', 'timeframe', 'where'] as const

/** Reads the body of `POST /screen`; the first fault is the refusal. */
export const readScreen = (fields: Fields): ScreenRequest | Refusal => readScreenOf(fields, accepted)

/** Reads the fields of a live screen. */
export const readLiveScreen = (fields: Fields): ScreenRequest | Refusal => readScreenOf(fields, acceptedLive)

function readScreenOf(fields: Fields, accepted: readonly string[]): ScreenRequest | Refusal {
  for (const name of fields.keys())
    if (!accepted.includes(name)) return unknownParameter(name.slice(0, 60), 'screen', accepted)
  const given = Object.fromEntries(entriesOf(fields, accepted.length))
  const missing = refuseMissing(given, required) ?? refuseBadNames(given, ['exchange'], 'json')
  if (missing) return missing
  const market = toMarket(given.exchange as string, '', given.timeframe)
  if (isRefusal(market)) return market
  const symbols = readSymbols(given)
  if (isRefusal(symbols)) return symbols
  const window = readWindow(fields, 'json')
  if (isRefusal(window)) return window
  const limit = readLimit(given.limit)
  if (isRefusal(limit)) return limit
  const expressions = readExpressions(given, market.timeframe)
  if (isRefusal(expressions)) return expressions
  const { compiled, names, order } = expressions
  const { exchange, timeframe } = market
  const query: Query = { ...compiled.spec, results: 1, backtrack: window.backtrack }
  return { exchange, timeframe, ...symbols, compiled, query, names, order, limit }
}

function readLimit(limit: unknown): number | Refusal {
  if (isAbsent(limit)) return Number.POSITIVE_INFINITY
  return Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= maxMarkets
    ? (limit as number)
    : invalidValue('limit', jsonText(limit), expected.range('integer', 1, maxMarkets))
}

interface ScreenExpressions extends Pick<ScreenRequest, 'names' | 'order'> {
  readonly compiled: CompiledExpression
}

/** Reads `where`, `select` and `orderBy` into one plan, in which what they have in common is computed once. */
function readExpressions(
  { where, select, orderBy }: JsonObject,
  timeframe: Timeframe,
): ScreenExpressions | Refusal {
  if (typeof where !== 'string') return expressionFieldNotText('where', where)
  const selected = readSelect(select)
  if (isRefusal(selected)) return selected
  if (!isAbsent(orderBy) && typeof orderBy !== 'string') return expressionFieldNotText('orderBy', orderBy)
  const texts: Record<string, string> = { where }
  for (const [name, text] of selected) texts[`select.${name}`] = text
  const names = selected.map(([name]) => name)
  const order = isAbsent(orderBy) ? undefined : readOrder(orderBy as string, names)
  if (order?.text !== undefined) texts.orderBy = order.text
  const key = JSON.stringify([timeframe, texts])
  const compiled = compiledScreens.find(key, () => compileExpressions(texts, { timeframe }))
  if (isRefusal(compiled)) return compiled
  if (compiled.outputs[0]?.type !== 'boolean') return expressionOfWrongType('where', 'boolean')
  if (order && compiled.outputs[order.output]?.type !== 'number')
    return expressionOfWrongType('orderBy', 'number')
  return { compiled, names, order }
}

function readSelect(select: unknown): readonly (readonly [name: string, text: string])[] | Refusal {
  if (isAbsent(select)) return []
  if (!isObject(select)) return invalidValue('select', jsonText(select), expected.object)
  const selected: [string, string][] = []
  for (const name in select) {
    if (selected.length === maxSelected) return tooManySelected(maxSelected)
    if (!idPattern.test(name) || name.length > maxNameLength || matchFields.includes(name))
      return badSelectName(name, matchFields)
    const text = select[name]
    if (typeof text !== 'string') return expressionFieldNotText(`select.${name}`, text)
    selected.push([name, text])
  }
  return selected
}

/** What `orderBy` means: the name of a selected expression or an expression, then `asc` or `desc` or nothing. */
function readOrder(orderBy: string, names: readonly string[]): ScreenOrder & { readonly text?: string } {
  const direction = /\s+(asc|desc)\s*$/i.exec(orderBy)
  const text = direction ? orderBy.slice(0, direction.index) : orderBy
  const isDescending = direction?.[1]?.toLowerCase() === 'desc'
  const named = names.indexOf(text.trim())
  return named >= 0 ? { output: 1 + named, isDescending } : { output: 1 + names.length, isDescending, text }
}

const compiledScreens = new CompiledCache(4_000_000)
