import type { Chart } from '../../candles/charts/chart.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { type CompiledExpression, compileExpressions } from '../../compute/expressions/compile.js'
import { refuseChart } from '../../compute/expressions/expressions.js'
import { type Fields, readKnown, readShape } from '../../contract/fields.js'
import { isAbsent, type JsonObject } from '../../contract/json-value.js'
import { type Market, marketNames, readMarket } from '../../contract/market.js'
import { isRefusal, type Refusal, rangeBackwards } from '../../contract/refusals.js'
import { evaluationShape } from '../../contract/requests.js'
import { candlesOrMarket, expressionOfWrongType } from '../../contract/screen-refusals.js'
import { maxAgeName, maxAgeShape, type TimeRange } from '../../contract/time-range.js'
import type { Direction } from './signal-returns.js'

/** Request for an evaluation without its candles, checked and complete. */
export interface EvaluationRequest {
  readonly entry: string
  /** Exit condition; undefined to simulate no trades. */
  readonly exit: string | undefined
  readonly direction: Direction
  /** Cost of each entry and exit, as a share of the traded amount. */
  readonly fee: number
  /** Numbers of candles after which returns are measured, ascending. */
  readonly horizons: readonly number[]
  readonly range: TimeRange
  /**
   * Number of settled digits that the conditions need; 0 for none. If undefined, the usual number counts, unless no
   * candle has it.
   */
  readonly settled: number | undefined
  /** Chart into which candles are converted first; undefined for plain candles. */
  readonly chart?: Chart | undefined
}

/** Source of an evaluation's candles: a market, or the request itself. */
type CandleSource =
  | { readonly market: Market; readonly maxAge: number | undefined }
  | { readonly candles: unknown }

/** Reads the body of `POST /evaluate`, except the candles in it. Refuses the first fault. */
export function readEvaluation(
  fields: Fields,
): { readonly request: EvaluationRequest; readonly source: CandleSource } | Refusal {
  const shape = evaluationShape()
  const ofMarket = isAbsent(fields.get('candles')) ? [maxAgeName] : []
  const given = readKnown(fields, 'evaluate', [...marketNames, 'candles', ...Object.keys(shape), ...ofMarket])
  if (isRefusal(given)) return given
  const source = readSource(given)
  if (isRefusal(source)) return source
  const read = readShape(shape, given)
  if (isRefusal(read)) return read
  const { side, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, ...rest } = read
  if (from > to) return rangeBackwards()
  return { request: { ...rest, direction: side === 'long' ? 1 : -1, range: { from, to } }, source }
}

function readSource(given: JsonObject): CandleSource | Refusal {
  const hasMarket = marketNames.some(name => !isAbsent(given[name]))
  const hasCandles = !isAbsent(given.candles)
  if (hasMarket === hasCandles) return candlesOrMarket()
  if (hasCandles) return { candles: given.candles }
  const market = readMarket(given)
  if (isRefusal(market)) return market
  const age = readShape(maxAgeShape(), given)
  return isRefusal(age) ? age : { market, ...age }
}

/** Texts of an evaluation's conditions: the entry, then the exit if it exists. */
export const conditionTexts = ({ entry, exit }: EvaluationRequest): Readonly<Record<string, string>> => ({
  entry,
  ...(exit === undefined ? {} : { exit }),
})

/**
 * Compiles the conditions of an evaluation into one plan over candles of a timeframe: the entry, then the exit if it
 * exists.
 */
export function compileConditions(
  request: EvaluationRequest,
  timeframe: Timeframe | undefined,
): CompiledExpression | Refusal {
  const compiled = compileExpressions(conditionTexts(request), { timeframe })
  if (isRefusal(compiled)) return compiled
  const wrong = compiled.outputs.find(({ type }) => type !== 'boolean')
  if (wrong) return expressionOfWrongType(wrong.name, 'boolean')
  return refuseChart({ ...compiled.spec, chart: request.chart }) ?? compiled
}
