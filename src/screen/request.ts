import type { Timeframe } from '../candles/timeframe.js'
import { readKnown } from '../contract/body.js'
import { type Fields, readShape, refuseMissing, type ValuesOf } from '../contract/fields.js'
import { type Query, readWindow } from '../contract/query.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { type AskedSymbols, liveScreenShape, readSymbols, screenShape } from '../contract/requests.js'
import { expressionOfWrongType } from '../contract/screen-refusals.js'
import type { CompiledExpression } from '../expression/compile.js'
import type { Expressions } from '../expression/expressions.js'

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

/** Reads the body of `POST /screen`; the first fault is the refusal. */
export const readScreen = (fields: Fields, expressions: Expressions): ScreenRequest | Refusal =>
  readScreenOf(fields, Object.keys(screenShape()), expressions)

/** Reads the fields of a live screen. */
export const readLiveScreen = (fields: Fields, expressions: Expressions): ScreenRequest | Refusal =>
  readScreenOf(fields, Object.keys(liveScreenShape()), expressions)

function readScreenOf(
  fields: Fields,
  accepted: readonly string[],
  expressions: Expressions,
): ScreenRequest | Refusal {
  const shape = screenShape()
  const given = readKnown(fields, 'screen', accepted)
  if (isRefusal(given)) return given
  const place =
    refuseMissing(given, ['exchange', 'timeframe', 'where']) ??
    readShape(shape, given, ['exchange', 'timeframe'])
  if (isRefusal(place)) return place
  const symbols = readSymbols(given)
  if (isRefusal(symbols)) return symbols
  const window = readWindow(fields, 'json')
  if (isRefusal(window)) return window
  const asked = readShape(shape, given, ['limit', 'where', 'select', 'orderBy'])
  if (isRefusal(asked)) return asked
  const plan = compile(asked, place.timeframe, expressions)
  if (isRefusal(plan)) return plan
  const query: Query = { ...plan.compiled.spec, results: 1, backtrack: window.backtrack }
  const { limit = Number.POSITIVE_INFINITY } = asked
  return { ...place, ...symbols, ...plan, query, limit }
}

interface ScreenExpressions extends Pick<ScreenRequest, 'names' | 'order'> {
  readonly compiled: CompiledExpression
}

/** Compiles `where`, `select` and `orderBy` to one plan, in which what they have in common is computed once. */
function compile(
  {
    where,
    select = {},
    orderBy,
  }: Pick<ValuesOf<ReturnType<typeof screenShape>>, 'where' | 'select' | 'orderBy'>,
  timeframe: Timeframe,
  expressions: Expressions,
): ScreenExpressions | Refusal {
  const texts: Record<string, string> = { where }
  const names = Object.keys(select)
  for (const name of names) texts[`select.${name}`] = select[name] as string
  const order = orderBy === undefined ? undefined : readOrder(orderBy, names)
  if (order?.text !== undefined) texts.orderBy = order.text
  const compiled = expressions.compileAll(texts, timeframe)
  if (isRefusal(compiled)) return compiled
  if (compiled.outputs[0]?.type !== 'boolean') return expressionOfWrongType('where', 'boolean')
  if (order && compiled.outputs[order.output]?.type !== 'number')
    return expressionOfWrongType('orderBy', 'number')
  return { compiled, names, order }
}

/** What `orderBy` means: the name of a selected expression or an expression, then `asc` or `desc` or nothing. */
function readOrder(orderBy: string, names: readonly string[]): ScreenOrder & { readonly text?: string } {
  const direction = /\s+(asc|desc)\s*$/i.exec(orderBy)
  const text = direction ? orderBy.slice(0, direction.index) : orderBy
  const isDescending = direction?.[1]?.toLowerCase() === 'desc'
  const named = names.indexOf(text.trim())
  return named >= 0 ? { output: 1 + named, isDescending } : { output: 1 + names.length, isDescending, text }
}
