import { z } from 'zod'
import { isTimeframe, type Timeframe, timeframes } from '../candles/timeframe.js'
import { once } from '../runtime/once.js'
import { type Fields, optional, readShape, refusedBy, refuseMissing, type ValueFormat } from './fields.js'
import type { JsonObject } from './json-value.js'
import { maxNameLength } from './limits.js'
import { adjustmentNotOfStocks, invalidTimeframe, isRefusal, type Refusal, refusal } from './refusals.js'

/** Which candles are meant: normalised, but neither exchange nor symbol need exist. */
export interface Market {
  /** Lower case. */
  readonly exchange: string
  /** Upper case, without slash or dash. */
  readonly symbol: string
  readonly timeframe: Timeframe
}

/** The key of a market's candles in memory and in the archive. */
export const marketKey = ({ exchange, symbol, timeframe }: Market): string =>
  `${exchange}:${symbol}:${timeframe}`

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

/** The exchange of US shares, as requests name it, and the identifier of its series where they come from Yahoo. */
export const stocksId = 'stocks'

/** What prices are adjusted for: splits, nothing, or splits and dividends. */
export const adjustments = ['split', 'raw', 'all'] as const
export type Adjustment = (typeof adjustments)[number]

/** The name of an exchange of stocks: `stocks`, `stocks-raw` or `stocks-all`. */
export const nameOfAdjustment = (adjustment: Adjustment): string =>
  adjustment === 'split' ? stocksId : `${stocksId}-${adjustment}`

/** Whether an exchange, by its name or identifier, is one of stocks. */
export const isStocks = (exchange: string): boolean =>
  exchange === stocksId || exchange.startsWith(`${stocksId}-`)

/** The source of the candles of an exchange of stocks, by its identifier: such as `yahoo` or `alpaca-iex`; undefined for other exchanges. */
export function stocksSourceOf(id: string): string | undefined {
  if (id === stocksId) return 'yahoo'
  return isStocks(id) ? id.slice(stocksId.length + 1).replace(/-(raw|all)$/, '') : undefined
}

/** What exchanges give of a derivative beside its candles, and what that is called in sentences. */
export const derivativeKinds = {
  funding: 'funding rates',
  openinterest: 'open interest',
  markprice: 'mark prices',
  indexprice: 'index prices',
} as const

export type DerivativeKind = keyof typeof derivativeKinds

const suffixes = Object.keys(derivativeKinds).map(kind => `\`.${kind}\``)
/** The ends of symbols that name a series, in words. */
export const seriesSuffixes = `${suffixes.slice(0, -1).join(', ')} or ${suffixes.at(-1)}`

/** A series of a derivative that is no candles of its trades. */
export interface DerivativeSeries {
  /** The symbol of the derivative. */
  readonly symbol: string
  readonly kind: DerivativeKind
}

/**
 * The symbol of a series of a derivative, as markets have it: BTCUSDT.FUNDING. In an expression, a symbol that begins with the dot
 * is a series of the market that the expression is about.
 */
export const symbolOfSeries = ({ symbol, kind }: DerivativeSeries): string =>
  `${symbol}.${kind.toUpperCase()}`

/** What the symbol of a market names where it is a series of a derivative. */
export function readSeries(symbol: string): DerivativeSeries | undefined {
  const dot = symbol.lastIndexOf('.')
  const kind = symbol.slice(dot + 1).toLowerCase()
  return dot >= 0 && Object.hasOwn(derivativeKinds, kind)
    ? { symbol: symbol.slice(0, dot), kind: kind as DerivativeKind }
    : undefined
}

/** The kinds that have a value at single times only, instead of candles. */
export type TimesKind = 'funding' | 'openinterest'

export const isOfTimes = (kind: DerivativeKind): kind is TimesKind =>
  kind === 'funding' || kind === 'openinterest'

/** Seconds between two values: most exchanges settle every eight hours, and have open interest of each hour or more often. */
export const usualIntervals: Readonly<Record<TimesKind, number>> = { funding: 28_800, openinterest: 3600 }

/** The usual seconds between two values of a series that has them at single times; undefined for all other symbols. */
export function usualIntervalOf(symbol: string): number | undefined {
  const series = readSeries(symbol)
  return series && isOfTimes(series.kind) ? usualIntervals[series.kind] : undefined
}

/** Whether a symbol names a series that has values at single times: there may be hours between two of them. */
export const hasTimes = (symbol: string): boolean => usualIntervalOf(symbol) !== undefined

/** An exchange gives no history of a kind. */
export const noSeriesOfExchange = (kind: DerivativeKind, exchange: string): Refusal =>
  refusal(404, `No ${kind}: ${exchange} gives no history of ${derivativeKinds[kind]}`)

/** A symbol is that of a spot market, or for funding of a future with a date. */
export const noSeriesOfMarket = (kind: DerivativeKind, symbol: string, exchange: string): Refusal =>
  refusal(
    404,
    `No ${kind}: ${symbol} on ${exchange} is not a ${kind === 'funding' ? 'perpetual' : 'derivative'}`,
  )
