import type { Timeframe } from '../candles/timeframe.js'
import { entriesOf } from '../contract/body.js'
import { isAbsent, type JsonObject, jsonText } from '../contract/json-value.js'
import { type Market, readMarket } from '../contract/market.js'
import type { Fields } from '../contract/query.js'
import { expected, invalidValue, isRefusal, type Refusal, unknownParameter } from '../contract/refusals.js'
import {
  badHorizons,
  candlesOrMarket,
  expressionFieldNotText,
  expressionOfWrongType,
} from '../contract/screen-refusals.js'
import { type CompiledExpression, compileExpressions } from '../expression/compile.js'
import { longestHorizon, maxFee, maxHorizons } from './limits.js'
import type { Direction } from './signal-returns.js'

/** What an evaluation is about, except its candles: checked and complete. */
export interface EvaluationRequest {
  readonly entry: string
  /** Without one there are no trades. */
  readonly exit: string | undefined
  readonly direction: Direction
  /** The share of the traded amount that each entry and each exit costs. */
  readonly fee: number
  /** After how many candles returns are measured, ascending. */
  readonly horizons: readonly number[]
}

/** Where the candles of an evaluation are from: a market, or the request itself. */
type CandleSource = { readonly market: Market } | { readonly candles: unknown }

const ownFields = ['entry', 'exit', 'side', 'fee', 'horizons'] as const
const marketFields = ['exchange', 'symbol', 'timeframe'] as const
const accepted: readonly string[] = [...marketFields, 'candles', ...ownFields]

const sides: ReadonlyMap<unknown, Direction> = new Map([
  ['long', 1],
  ['short', -1],
])
const defaultHorizons = [1, 5, 20]

/** Reads the body of `POST /evaluate`, except the candles in it; the first fault is the refusal. */
export function readEvaluation(
  fields: Fields,
): { readonly request: EvaluationRequest; readonly source: CandleSource } | Refusal {
  for (const name of fields.keys())
    if (!accepted.includes(name)) return unknownParameter(name.slice(0, 60), 'evaluate', accepted)
  const given = Object.fromEntries(entriesOf(fields, accepted.length))
  const source = readSource(given)
  if (isRefusal(source)) return source
  const { entry, exit, side, fee, horizons } = given
  if (typeof entry !== 'string') return expressionFieldNotText('entry', entry)
  if (!isAbsent(exit) && typeof exit !== 'string') return expressionFieldNotText('exit', exit)
  const direction = sides.get(isAbsent(side) ? 'long' : side)
  if (direction === undefined)
    return invalidValue('side', jsonText(side), expected.oneOf([...sides.keys()] as string[]))
  const cost = isAbsent(fee) ? 0 : fee
  if (typeof cost !== 'number' || !(cost >= 0 && cost <= maxFee))
    return invalidValue('fee', jsonText(fee), expected.range('number', 0, maxFee))
  const after = readHorizons(horizons)
  if (isRefusal(after)) return after
  return {
    request: {
      entry,
      exit: isAbsent(exit) ? undefined : (exit as string),
      direction,
      fee: cost,
      horizons: after,
    },
    source,
  }
}

function readSource(given: JsonObject): CandleSource | Refusal {
  const hasMarket = marketFields.some(name => !isAbsent(given[name]))
  const hasCandles = !isAbsent(given.candles)
  if (hasMarket === hasCandles) return candlesOrMarket()
  if (hasCandles) return { candles: given.candles }
  const market = readMarket(given)
  return isRefusal(market) ? market : { market }
}

function readHorizons(value: unknown): readonly number[] | Refusal {
  if (isAbsent(value)) return defaultHorizons
  const isValid =
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= maxHorizons &&
    value.every(each => Number.isInteger(each) && each >= 1 && each <= longestHorizon)
  return isValid
    ? [...new Set(value as number[])].sort((a, b) => a - b)
    : badHorizons(value, maxHorizons, longestHorizon)
}

/** The conditions of an evaluation as one plan over candles of a timeframe: the entry, then the exit where there is one. */
export function compileConditions(
  { entry, exit }: EvaluationRequest,
  timeframe: Timeframe | undefined,
): CompiledExpression | Refusal {
  const compiled = compileExpressions({ entry, ...(exit === undefined ? {} : { exit }) }, { timeframe })
  if (isRefusal(compiled)) return compiled
  const wrong = compiled.outputs.find(({ type }) => type !== 'boolean')
  return wrong ? expressionOfWrongType(wrong.name, 'boolean') : compiled
}
