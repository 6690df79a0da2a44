import type { Columns, Snapshot } from '../candles/columns.js'
import { type Timeframe, timeframes } from '../candles/timeframe.js'
import type { OtherQueries } from '../contract/bulk.js'
import { type Fields, readShape, refuseMissing, refuseUnknown, type ValueFormat } from '../contract/fields.js'
import { type IndicatorSpec, type Query, readWindow, windowFields } from '../contract/query.js'
import { isRefusal, type Refusal } from '../contract/refusals.js'
import { expressionShape } from '../contract/requests.js'
import {
  type CompiledExpression,
  compileExpression,
  compileExpressions,
  expressionName,
  isExpression,
} from './compile.js'
import { CompiledCache } from './compiled-cache.js'

const compiled = new CompiledCache(6_000_000)

/** Compiles an expression, or takes one that was compiled before. */
export const compileOnce = (text: string, timeframe: Timeframe | undefined): CompiledExpression | Refusal =>
  compiled.find(`${timeframe ?? ''} ${text}`, () => compileExpression(text, { timeframe }))

/** Compiles the texts that are the parameters of a compiled expression, as another thread does. */
export function compileAgain(
  texts: Readonly<Record<string, string>>,
  timeframe: Timeframe | undefined,
): CompiledExpression | Refusal {
  const { [expressionName]: single } = texts
  if (single !== undefined) return compileOnce(single, timeframe)
  return compiled.find(JSON.stringify([timeframe, texts]), () => compileExpressions(texts, { timeframe }))
}

/** Reads the field `expression` of a request about candles of a timeframe; `otherFields` are read elsewhere. */
export function readExpression(
  fields: Fields,
  otherFields: readonly string[],
  timeframe: Timeframe | undefined,
): IndicatorSpec | Refusal {
  const given = { expression: fields.get(expressionName) }
  const text =
    refuseUnknown(fields.keys(), expressionName, [expressionName, ...otherFields]) ??
    refuseMissing(given, [expressionName]) ??
    readShape(expressionShape(), given)
  if (isRefusal(text)) return text
  const read = compileOnce(text.expression, timeframe)
  return isRefusal(read) ? read : read.spec
}

/** Reads an expression with the window of its values that a caller requests. */
export function readExpressionQuery(
  fields: Fields,
  format: ValueFormat,
  otherFields: readonly string[],
  timeframe: Timeframe | undefined,
): Query | Refusal {
  const spec = readExpression(fields, [...windowFields, ...otherFields], timeframe)
  if (isRefusal(spec)) return spec
  const window = readWindow(fields, format)
  return isRefusal(window) ? window : { ...spec, ...window }
}

/**
 * The timeframe of supplied candles: the one whose length is the smallest distance between two of them. Undefined where
 * there is none.
 */
export function timeframeOf({ columns, closed }: Snapshot): Timeframe | undefined {
  const distance = smallestDistance(columns, closed)
  return (Object.keys(timeframes) as Timeframe[]).find(timeframe => timeframes[timeframe] === distance)
}

function smallestDistance({ timestamp }: Columns, count: number): number {
  let smallest = Number.POSITIVE_INFINITY
  for (let i = 1; i < count; i++)
    smallest = Math.min(smallest, (timestamp[i] as number) - (timestamp[i - 1] as number))
  return smallest
}

/** Accepted as the timeframe of candles that are read later, because every other one is at least as long. */
const shortest: Timeframe = '1m'

/** Expressions in bulk requests. Those over supplied candles are compiled again when the candles show their timeframe. */
export const expressionQueries: OtherQueries = {
  read: (name, fields, timeframe) =>
    name === expressionName ? readExpressionQuery(fields, 'json', [], timeframe ?? shortest) : undefined,
  over(query, snapshot) {
    const { indicator, params, results, backtrack } = query
    if (!isExpression(indicator) || indicator.plan.timelines.length === 1) return query
    const read = compileOnce(params[expressionName] as string, timeframeOf(snapshot))
    return isRefusal(read) ? read : { ...read.spec, results, backtrack }
  },
}
