import type { Ticker as CcxtTicker, Exchange, Market as MarketOrNothing, OHLCV } from 'ccxt'
import type { DerivativeKind } from '../../../contract/market.js'

export type Client = Exchange
export type ListedMarket = NonNullable<MarketOrNothing>
export type Ticker = CcxtTicker
/** A candle as ccxt reads it: open time in milliseconds, then open, high, low, close and volume. */
export type Row = OHLCV

/** ccxt's method names for the history of each derivative series. */
const historyMethods: Readonly<Record<DerivativeKind, string>> = {
  funding: 'fetchFundingRateHistory',
  openinterest: 'fetchOpenInterestHistory',
  markprice: 'fetchMarkOHLCV',
  indexprice: 'fetchIndexOHLCV',
}

export const hasHistoryOf = ({ has }: Client, kind: DerivativeKind): boolean =>
  has[historyMethods[kind]] === true

type ClientClass = new (settings: object) => Client

/** The classes of ccxt errors that are handled differently. */
export type ErrorClasses = Pick<
  typeof import('ccxt'),
  | 'ArgumentsRequired'
  | 'AuthenticationError'
  | 'BadRequest'
  | 'BadResponse'
  | 'BadSymbol'
  | 'BaseError'
  | 'DDoSProtection'
  | 'ExchangeNotAvailable'
  | 'NetworkError'
  | 'OperationFailed'
  | 'PermissionDenied'
  | 'RateLimitExceeded'
  | 'RequestTimeout'
>

/**
 * Loads the client class of one exchange. Loading all of ccxt through its package entry needs three times the time
 * and memory.
 */
export async function loadClientClass(
  id: string,
): Promise<{ readonly Class: ClientClass; readonly errors: ErrorClasses }> {
  const folder = new URL('./src/', import.meta.resolve('ccxt'))
  const [exchange, errors] = await Promise.all([
    import(new URL(`${id}.js`, folder).href),
    import(new URL('base/errors.js', folder).href),
  ])
  return { Class: exchange.default, errors }
}

/** Loads the WebSocket client class of one exchange, or undefined if ccxt has none. */
export async function loadStreamingClass(id: string): Promise<ClientClass | undefined> {
  const folder = new URL('./src/pro/', import.meta.resolve('ccxt'))
  try {
    return (await import(new URL(`${id}.js`, folder).href)).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return undefined
  }
}
