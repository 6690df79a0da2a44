import { z } from 'zod'
import { isTimeframe, type Timeframe, timeframes } from '../candles/timeframe.js'
import { once } from '../runtime/once.js'
import { seriesSuffixes } from './derivative.js'
import { type Fields, optional, readShape, refusedBy, refuseMissing, type ValueFormat } from './fields.js'
import type { JsonObject } from './json-value.js'
import { maxNameLength } from './limits.js'
import { adjustmentNotOfStocks, invalidTimeframe, isRefusal, type Refusal } from './refusals.js'
import { type Adjustment, adjustments, nameOfAdjustment, stocksId } from './stocks.js'

/** Which candles are meant: normalised, but neither exchange nor symbol need exist. */
export interface Market {
  /** Lower case. */
  readonly exchange: string
  /** Upper case, without slash or dash. */
  readonly symbol: string
  readonly timeframe: Timeframe
}

/** The key of a market's candles in memory and in the archive. */
export const keyOf = ({ exchange, symbol, timeframe }: Market): string => `${exchange}:${symbol}:${timeframe}`

/** The canonical spelling of a symbol. */
export const canonicalSymbol = (symbol: string): string => symbol.replace(/[/-]/g, '').toUpperCase()

/** A text of at most 100 characters. */
export const nameSchema = (description: string, examples?: string[]) =>
  z.string().max(maxNameLength).meta({ description, examples })

/** The fields that name a market. */
export const marketShape = once(() => ({
  exchange: nameSchema('An identifier from GET /exchanges; `stocks` for US shares.', [
    'demo',
    'stocks',
  ]).transform(exchange => exchange.toLowerCase()),
  symbol: nameSchema(
    `A symbol without slash, or a ticker. With ${seriesSuffixes} behind that of a derivative it is this series of it.`,
    ['BTCUSDT', 'AAPL', 'BTCUSDT.funding'],
  ).transform(canonicalSymbol),
  timeframe: refusedBy(
    z.enum(Object.keys(timeframes) as [Timeframe, ...Timeframe[]]).meta({ examples: ['1h'] }),
    value => invalidTimeframe(value, Object.keys(timeframes)),
  ),
  adjustment: optional(z.enum(adjustments)).describe(
    'Of the exchange `stocks`: prices adjusted for splits (the default), as they were traded, or adjusted for splits and dividends, which are those of the exchanges `stocks-raw` and `stocks-all`.',
  ),
}))

/** The names of the fields that name a market. */
export const marketFields = ['exchange', 'symbol', 'timeframe'] as const
/** The same with the field that may stand beside them. */
export const marketNames = [...marketFields, 'adjustment'] as const

/** Reads `adjustment`: what has it is of the exchange with such prices. */
export function atAdjustment<Read extends { readonly exchange: string }>({
  adjustment,
  ...market
}: Read & { readonly adjustment?: Adjustment | undefined }): Omit<Read, 'adjustment'> | Refusal {
  if (adjustment === undefined) return market as Omit<Read, 'adjustment'>
  if (market.exchange !== stocksId) return adjustmentNotOfStocks(market.exchange)
  return { ...(market as Omit<Read, 'adjustment'>), exchange: nameOfAdjustment(adjustment) }
}

/** Reads the market that an object names; `given` returns the names of all fields where the object has not all of them. */
export const readMarket = (
  fields: JsonObject,
  format: ValueFormat = 'json',
  given?: () => Iterable<string>,
): Market | Refusal => {
  const read =
    refuseMissing(fields, marketFields, given) ?? readShape(marketShape(), fields, undefined, format)
  return isRefusal(read) ? read : (atAdjustment(read) as Market | Refusal)
}

/** Reads what several markets of an object have in common: their exchange and timeframe. */
export function readPlace(fields: JsonObject): Pick<Market, 'exchange' | 'timeframe'> | Refusal {
  const read = readShape(marketShape(), fields, ['exchange', 'timeframe', 'adjustment'])
  return isRefusal(read) ? read : atAdjustment(read)
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= maxNameLength

/** Reads the market that a query string names. */
export function readQueriedMarket(fields: Fields): Market | Refusal {
  const exchange = fields.get('exchange')
  const symbol = fields.get('symbol')
  const timeframe = fields.get('timeframe')
  // By hand where nothing is refused: the schemas take four percent of the time of a GET with a new query string.
  const adjustment = fields.get('adjustment')
  if (!adjustment && isName(exchange) && isName(symbol) && isName(timeframe) && isTimeframe(timeframe))
    return { exchange: exchange.toLowerCase(), symbol: canonicalSymbol(symbol), timeframe }
  return readMarket({ exchange, symbol, timeframe, adjustment }, 'text', () => fields.keys())
}
