import type { Ticker as CcxtTicker, Exchange, Market as MarketOrNothing, OHLCV } from 'ccxt'
import type { DerivativeKind } from '../../../contract/market.js'

/** ccxt's client of one exchange. */
export type Client = Exchange
/** One market as ccxt lists it. */
export type ListedMarket = NonNullable<MarketOrNothing>
/** What was traded at a market lately, as ccxt reads it. */
export type Ticker = CcxtTicker
/** A candle as ccxt reads it: milliseconds of its open, then open, high, low, close and volume. */
export type Row = OHLCV

/** What ccxt calls the history of each series of a derivative. */
const historyMethods: Readonly<Record<DerivativeKind, string>> = {
  funding: 'fetchFundingRateHistory',
  openinterest: 'fetchOpenInterestHistory',
  markprice: 'fetchMarkOHLCV',
  indexprice: 'fetchIndexOHLCV',
}

/** Whether an exchange gives the history of a series, as far as ccxt knows. */
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

/** The client class of one exchange. Loading all of ccxt, as its package exports it, takes three times the time and memory. */
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

/** The client class of one exchange with WebSockets; undefined where ccxt has none. */
export async function loadStreamingClass(id: string): Promise<ClientClass | undefined> {
  const folder = new URL('./src/pro/', import.meta.resolve('ccxt'))
  try {
    return (await import(new URL(`${id}.js`, folder).href)).default
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    return undefined
  }
}

/** ccxt's two clients of one exchange, neither of them connected. */
export interface ClientPair {
  readonly id: string
  readonly rest: Client
  /** The client with WebSockets, where there is one. */
  readonly streaming: Client | undefined
}

/** New clients of the exchanges `ids`, and the classes of their errors. Loads all of ccxt. */
export async function loadClientPairs(
  ids: readonly string[],
): Promise<{ readonly pairs: readonly ClientPair[]; readonly errors: ErrorClasses }> {
  const ccxt = await import('ccxt')
  type Classes = Readonly<Record<string, new () => Client>>
  const rest = ccxt.default as unknown as Classes
  const streaming = ccxt.default.pro as unknown as Classes
  const create = (classes: Classes, id: string) => classes[id] && new classes[id]()
  const pairs = ids.map(id => ({ id, rest: create(rest, id) as Client, streaming: create(streaming, id) }))
  return { pairs, errors: ccxt }
}
