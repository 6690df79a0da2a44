import type { Market } from '../contract/market.js'
import { exchangeNotFound, isRefusal, type Refusal } from '../contract/refusals.js'
import type { Exchange, ExchangeLookup } from '../exchanges/registry.js'
import type { History } from './history.js'
import type { Reading } from './reading.js'
import { sourceRefusal } from './source-refusal.js'

/** Candles of a market are being fetched for the first time. */
export interface PendingMarket {
  readonly kind: 'pending'
  /** Names the data that is fetched. */
  readonly key: string
  /** Ends when they are there, or cannot be fetched. Never rejects. */
  ready(): Promise<Reading | RefusedMarket>
}

/** The candles of a market cannot be read. */
export interface RefusedMarket {
  readonly kind: 'refused'
  readonly refusal: Refusal
}

export type MarketReading = Reading | PendingMarket | RefusedMarket

/** The exchange of that identifier, or of another name that it has. */
export const findExchange = (exchanges: Pick<ExchangeLookup, 'find'>, name: string): Exchange | Refusal =>
  exchanges.find(name) ?? exchangeNotFound(name)

const refuse = (refusal: Refusal): RefusedMarket => ({ kind: 'refused', refusal })

/** The candles of every market of every exchange. */
export class MarketData {
  readonly #exchanges: ExchangeLookup
  readonly #history: History

  constructor(exchanges: ExchangeLookup, history: History) {
    this.#exchanges = exchanges
    this.#history = history
  }

  /**
   * The candles of a market: at once where they are fresh, after a refresh where they are not. `callerId` is the account
   * whose first fetches are counted; without one they count only for the service as a whole. Never throws or rejects.
   */
  read(market: Market, callerId?: string): MarketReading | Promise<Reading | RefusedMarket> {
    const exchange = findExchange(this.#exchanges, market.exchange)
    if (isRefusal(exchange)) return refuse(exchange)
    const { id, source } = exchange
    const canonical = market.exchange === id ? market : { ...market, exchange: id }
    try {
      const reading = this.#history.read(canonical, source, callerId)
      if (reading instanceof Promise) return settle(reading, canonical)
      if (reading.kind === 'candles') return reading
      const { key, ready } = reading
      return { kind: 'pending', key, ready: () => settle(ready, canonical) }
    } catch (error) {
      return refusalOf(error, canonical)
    }
  }
}

const settle = (reading: Promise<Reading>, market: Market): Promise<Reading | RefusedMarket> =>
  reading.catch(error => refusalOf(error, market))

const refusalOf = (error: unknown, { exchange, symbol }: Market): RefusedMarket =>
  refuse(sourceRefusal(error, exchange, symbol))
