import type { Timeframe } from '../candles/timeframe.js'
import { type CompiledExpression, relianceOf } from '../compute/expressions/compile.js'
import { type Expressions, refuseChart } from '../compute/expressions/expressions.js'
import { inExpression } from '../contract/expression-refusals.js'
import { type Fields, readKnown, readShape, refuseMissing, type ValuesOf } from '../contract/fields.js'
import { isAbsent, type JsonObject } from '../contract/json-value.js'
import { type AskedSymbols, readSymbols } from '../contract/lists.js'
import { readPlace } from '../contract/market.js'
import type { Query, Settled } from '../contract/query.js'
import { isRefusal, neverSettles, type Refusal } from '../contract/refusals.js'
import { liveScreenShape, screenShape } from '../contract/requests.js'
import { atAndBacktrack, expressionOfWrongType } from '../contract/screen-refusals.js'

/** A request over many markets of one exchange. */
export interface ScannedRequest extends AskedSymbols {
  /** Exchange id in lower case. */
  readonly exchange: string
  readonly timeframe: Timeframe
  /** One plan with all expressions for each market. */
  readonly compiled: CompiledExpression
  readonly query: Query
  /** Latest open time of evaluated candles, all of which must be closed. Undefined for the newest candles. */
  readonly at: number | undefined
  /** Maximum age of a market's newest candle, in seconds since its end. */
  readonly maxAge?: number | undefined
}

/** A screen, checked and complete. The exchange need not exist. Output 0 is its condition. */
export interface ScreenRequest extends ScannedRequest {
  /** Names of the selected expressions. Their outputs follow that of the condition. */
  readonly names: readonly string[]
  readonly order: ScreenOrder | undefined
  /** Maximum number of returned matches; Infinity for all. */
  readonly limit: number
  /** First candle of each output with the required number of settled digits. Undefined if no digits are required. */
  readonly settled: readonly Settled[] | undefined
}

interface ScreenOrder {
  /** Index of the output with the sort values. */
  readonly output: number
  readonly isDescending: boolean
}

/** Reads the body of `POST /screen`, or the fields of a live screen. Refuses the first fault. */
export function readScreen(
  fields: Fields,
  expressions: Expressions,
  isLive = false,
): ScreenRequest | Refusal {
  const shape = screenShape()
  const given = readKnown(fields, 'screen', Object.keys(isLive ? liveScreenShape() : shape))
  if (isRefusal(given)) return given
  const place = refuseMissing(given, ['exchange', 'timeframe', 'where']) ?? readPlace(given)
  if (isRefusal(place)) return place
  const symbols = readSymbols(given)
  if (isRefusal(symbols)) return symbols
  const window = readMoment(given)
  if (isRefusal(window)) return window
  const asked = readShape(shape, given, ['limit', 'where', 'select', 'orderBy', 'settled', 'maxAge'])
  if (isRefusal(asked)) return asked
  const plan = compile(asked, place.timeframe, expressions)
  if (isRefusal(plan)) return plan
  const settled = asked.settled === undefined ? undefined : settledOutputs(plan.compiled, asked.settled)
  if (isRefusal(settled)) return settled
  const { at, backtrack, chart } = window
  const query: Query = { ...plan.compiled.spec, results: 1, backtrack, chart, settled: settled?.[0] }
  const unfit = refuseChart(query)
  if (unfit) return unfit
  const { limit = Number.POSITIVE_INFINITY, maxAge } = asked
  return { ...place, ...symbols, ...plan, query, limit, at, maxAge, settled }
}

type Moment = Pick<ValuesOf<ReturnType<typeof screenShape>>, 'backtrack' | 'at' | 'chart'>

/** Reads the moment of a screen: a number of candles ago, or the closed candles up to a time. */
function readMoment(given: JsonObject): Moment | Refusal {
  if (!isAbsent(given.at) && !isAbsent(given.backtrack)) return atAndBacktrack()
  return readShape(screenShape(), given, ['backtrack', 'at', 'chart'])
}

/** First candle at which each output has `digits` settled digits. Refused if an output never has. */
function settledOutputs(compiled: CompiledExpression, digits: number): readonly Settled[] | Refusal {
  const outputs: Settled[] = []
  for (const [k, { name }] of compiled.outputs.entries()) {
    const { first, unsettling } = relianceOf(compiled, k, digits)
    if (unsettling) return inExpression(name, neverSettles(unsettling.name, unsettling.reason))
    outputs.push({ digits, first })
  }
  return outputs
}

interface ScreenExpressions extends Pick<ScreenRequest, 'names' | 'order'> {
  readonly compiled: CompiledExpression
}

/** Compiles `where`, `select` and `orderBy` into one plan that computes common parts once. */
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

/** Parses `orderBy`: an expression or the name of a selected one, then optionally `asc` or `desc`. */
function readOrder(orderBy: string, names: readonly string[]): ScreenOrder & { readonly text?: string } {
  const direction = /\s(asc|desc)$/i.exec(orderBy.trimEnd())
  const text = direction ? orderBy.slice(0, direction.index) : orderBy
  const isDescending = direction?.[1]?.toLowerCase() === 'desc'
  const named = names.indexOf(text.trim())
  return named >= 0 ? { output: 1 + named, isDescending } : { output: 1 + names.length, isDescending, text }
}
