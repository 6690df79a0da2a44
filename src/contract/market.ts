import { z } from 'zod'
import { isTimeframe, type Timeframe, timeframes } from '../candles/timeframe.js'
import { once } from '../runtime/once.js'
import { optional, readShape, refusedBy, refuseMissing, type TextFields, type ValueFormat } from './fields.js'
import type { JsonObject } from './json-value.js'
import { maxNameLength } from './limits.js'
import { adjustmentNotOfStocks, invalidTimeframe, isRefusal, type Refusal, refusal } from './refusals.js'

/** A market of candles, in normalised spelling. The exchange and the symbol need not exist. */
export interface Market {
  /** Exchange in lower case. */
  readonly exchange: string
  /** Symbol in upper case, without slash or dash. */
  readonly symbol: string
  readonly timeframe: Timeframe
}

/** Markets whose candles a computation reads, in the order of its inputs: its own, then the others of its expression. */
export type Markets = readonly [own: Market, ...others: Market[]]

/** Key of the candles of a market, in memory and in the archive. */
export const marketKey = ({ exchange, symbol, timeframe }: Market): string =>
  `${exchange}:${symbol}:${timeframe}`

/** Canonical spelling of a symbol. */
export const canonicalSymbol = (symbol: string): string => symbol.replace(/[/-]/g, '').toUpperCase()

/** Schema of a text of at most 100 characters. */
export const nameSchema = (description: string, examples?: string[]) =>
  z.string().max(maxNameLength).meta({ description, examples })

export const marketShape = once(() => ({
  exchange: nameSchema('An identifier from GET /exchanges; `stocks` for US shares.', [
    'demo',
    'stocks',
  ]).transform(exchange => exchange.toLowerCase()),
  symbol: nameSchema(
    `Symbol with or without a slash, or a ticker. With ${seriesSuffixes} at its end, it selects this series of a derivative.`,
    ['BTCUSDT', 'AAPL', 'BTCUSDT.funding'],
  ).transform(canonicalSymbol),
  timeframe: refusedBy(
    z.enum(Object.keys(timeframes) as [Timeframe, ...Timeframe[]]).meta({ examples: ['1h'] }),
    value => invalidTimeframe(value, Object.keys(timeframes)),
  ),
  adjustment: optional(z.enum(adjustments)).describe(
    'Only for the exchange `stocks`: prices adjusted for splits (default), as traded (exchange `stocks-raw`), or adjusted for splits and dividends (exchange `stocks-all`).',
  ),
}))

export const marketFields = ['exchange', 'symbol', 'timeframe'] as const
/** Names of these fields and of the optional field `adjustment`. */
export const marketNames = [...marketFields, 'adjustment'] as const

/**
 * Replaces the field `adjustment` by the name of the exchange with these prices. Refuses `adjustment` for exchanges
 * other than `stocks`.
 */
export function atAdjustment<Read extends { readonly exchange: string }>({
  adjustment,
  ...market
}: Read & { readonly adjustment?: Adjustment | undefined }): Omit<Read, 'adjustment'> | Refusal {
  if (adjustment === undefined) return market as Omit<Read, 'adjustment'>
  if (market.exchange !== stocksId) return adjustmentNotOfStocks(market.exchange)
  return { ...(market as Omit<Read, 'adjustment'>), exchange: nameOfAdjustment(adjustment) }
}

/**
 * Reads the market that an object names. `given` returns the names of all fields of the request, for objects that omit
 * some.
 */
export const readMarket = (
  fields: JsonObject,
  format: ValueFormat = 'json',
  given?: () => Iterable<string>,
): Market | Refusal => {
  const read =
    refuseMissing(fields, marketFields, given) ?? readShape(marketShape(), fields, undefined, format)
  return isRefusal(read) ? read : (atAdjustment(read) as Market | Refusal)
}

/** Reads the common exchange and timeframe of several markets. */
export function readPlace(fields: JsonObject): Pick<Market, 'exchange' | 'timeframe'> | Refusal {
  const read = readShape(marketShape(), fields, ['exchange', 'timeframe', 'adjustment'])
  return isRefusal(read) ? read : atAdjustment(read)
}

/** Reads the market that a query string names. */
export function readQueriedMarket(fields: TextFields): Market | Refusal {
  const exchange = fields.get('exchange')
  const symbol = fields.get('symbol')
  const timeframe = fields.get('timeframe')
  const adjustment = fields.get('adjustment')
  // Skips the schemas for valid input: they cost four percent of the time of a GET with a new query string.
  const isValid = exchange && symbol && timeframe && !adjustment && isTimeframe(timeframe)
  if (isValid && exchange.length <= maxNameLength && symbol.length <= maxNameLength)
    return { exchange: exchange.toLowerCase(), symbol: canonicalSymbol(symbol), timeframe }
  return readMarket({ exchange, symbol, timeframe, adjustment }, 'text', () => fields.keys())
}

/** Name of the exchange of US shares in requests. It is also the identifier of its series from Yahoo. */
export const stocksId = 'stocks'

/** Name of the exchange of markets whose candles were imported. */
export const ownId = 'own'

/** Adjustments of prices: for splits, for nothing, or for splits and dividends. */
export const adjustments = ['split', 'raw', 'all'] as const
export type Adjustment = (typeof adjustments)[number]

/** Name of the exchange of stocks with an adjustment: `stocks`, `stocks-raw` or `stocks-all`. */
export const nameOfAdjustment = (adjustment: Adjustment): string =>
  adjustment === 'split' ? stocksId : `${stocksId}-${adjustment}`

/** Whether a name or identifier belongs to an exchange of stocks. */
export const isStocks = (exchange: string): boolean =>
  exchange === stocksId || exchange.startsWith(`${stocksId}-`)

/**
 * Source of the candles of an exchange of stocks, by its identifier, such as `yahoo` or `alpaca-iex`. Undefined for
 * other exchanges.
 */
export function stocksSourceOf(id: string): string | undefined {
  if (id === stocksId) return 'yahoo'
  return isStocks(id) ? id.slice(stocksId.length + 1).replace(/-(raw|all)$/, '') : undefined
}

/** Series of derivatives that exchanges provide in addition to candles, with their names in sentences. */
export const derivativeKinds = {
  funding: 'funding rates',
  openinterest: 'open interest',
  markprice: 'mark prices',
  indexprice: 'index prices',
} as const

export type DerivativeKind = keyof typeof derivativeKinds

const suffixes = Object.keys(derivativeKinds).map(kind => `\`.${kind}\``)
/** Suffixes of symbols that name a series, as part of a sentence. */
export const seriesSuffixes = `${suffixes.slice(0, -1).join(', ')} or ${suffixes.at(-1)}`

/** A series of a derivative other than the candles of its trades. */
export interface DerivativeSeries {
  readonly symbol: string
  readonly kind: DerivativeKind
}

/**
 * Market symbol of a series of a derivative, such as BTCUSDT.FUNDING. In an expression, a symbol that begins with the
 * dot is a series of the expression's own market.
 */
export const symbolOfSeries = ({ symbol, kind }: DerivativeSeries): string =>
  `${symbol}.${kind.toUpperCase()}`

/** Reads the symbol of a series of a derivative; undefined for all other symbols. */
export function readSeries(symbol: string): DerivativeSeries | undefined {
  const dot = symbol.lastIndexOf('.')
  const kind = symbol.slice(dot + 1).toLowerCase()
  return dot >= 0 && Object.hasOwn(derivativeKinds, kind)
    ? { symbol: symbol.slice(0, dot), kind: kind as DerivativeKind }
    : undefined
}

/** Kinds of series with values at single times instead of candles. */
export type TimesKind = 'funding' | 'openinterest'

export const isOfTimes = (kind: DerivativeKind): kind is TimesKind =>
  kind === 'funding' || kind === 'openinterest'

/**
 * Usual seconds between two values. Most exchanges settle funding every eight hours and provide open interest at least
 * hourly.
 */
export const usualIntervals: Readonly<Record<TimesKind, number>> = { funding: 28_800, openinterest: 3600 }

/** Usual seconds between two values of a series with values at single times; undefined for all other symbols. */
export function usualIntervalOf(symbol: string): number | undefined {
  const series = readSeries(symbol)
  return series && isOfTimes(series.kind) ? usualIntervals[series.kind] : undefined
}

/** Whether a symbol names a series with values at single times, which may be hours apart. */
export const hasTimes = (symbol: string): boolean => usualIntervalOf(symbol) !== undefined

/** Refusal if an exchange provides no history of a kind of series. */
export const noSeriesOfExchange = (kind: DerivativeKind, exchange: string): Refusal =>
  refusal(404, `No ${kind}: ${exchange} gives no history of ${derivativeKinds[kind]}`)

/** Refusal of a series of a spot market. For funding, also of a future with an expiry date. */
export const noSeriesOfMarket = (kind: DerivativeKind, symbol: string, exchange: string): Refusal =>
  refusal(
    404,
    `No ${kind}: ${symbol} on ${exchange} is not a ${kind === 'funding' ? 'perpetual' : 'derivative'}`,
  )
