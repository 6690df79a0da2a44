import { ageOf } from '../../candles/age.js'
import { type Inputs, type Snapshot, timestampAt } from '../../candles/columns.js'
import type { Plan } from '../../contract/account.js'
import { nearNames } from '../../contract/hints.js'
import { hasTimes, type Market, marketKey } from '../../contract/market.js'
import { candlesTooOld, exchangeNotFound, isRefusal, type Refusal } from '../../contract/refusals.js'
import type { Exchange, ExchangeLookup } from '../exchanges/registry.js'
import { listedSymbol } from '../exchanges/source.js'
import type { SeriesHandle } from './cache-entry.js'
import { sourceRefusal } from './candle-fetcher.js'
import type { History } from './history.js'
import type { RangeReading, RequestedHistory } from './range-reader.js'
import type { FetchProgress, Pending, Reading, RefusedMarket } from './reading.js'

export type { RefusedMarket, RequestedHistory }

/** A market whose candles are being fetched. */
export interface PendingMarket {
  readonly kind: 'pending'
  /** Name of the fetched data. */
  readonly key: string
  /** Resolves when the candles have arrived or cannot be fetched. Never rejects. */
  ready(): Promise<Reading | RefusedMarket>
  /** Progress, if the fetched candles are older than the known ones. */
  readonly progress?: Readonly<FetchProgress> | undefined
}

export type MarketReading = Reading | PendingMarket | RefusedMarket

/** Exchange with this identifier or alias. */
export const findExchange = (
  exchanges: Pick<ExchangeLookup, 'find' | 'ids'>,
  name: string,
): Exchange | Refusal => exchanges.find(name) ?? exchangeNotFound(name, nearNames(name, exchanges.ids()))

/** Symbols of an exchange that end with a text, from the present list of the exchange. */
export async function symbolsOfQuote(
  { id, source }: Exchange,
  quote: string,
): Promise<readonly string[] | Refusal> {
  try {
    return (await source.symbols()).filter(symbol => symbol.endsWith(quote))
  } catch (error) {
    return sourceRefusal(error, id, '')
  }
}

const refuse = (refusal: Refusal): RefusedMarket => ({ kind: 'refused', refusal })

type RangeDepths = Readonly<Record<Plan, number>>

/** Candles of every market of every exchange. */
export class MarketData {
  readonly #exchanges: ExchangeLookup
  readonly #history: History
  readonly #rangeDepths: RangeDepths

  /** `rangeDepths` are the maximum numbers of candles fetched for a query for a time, by plan. */
  constructor(exchanges: ExchangeLookup, history: History, rangeDepths = {} as RangeDepths) {
    this.#exchanges = exchanges
    this.#history = history
    this.#rangeDepths = rangeDepths
  }

  /** Part of a history needed by a query for a time from `from` (Unix seconds) on, with the plan of its account. */
  requestedHistory(from: number, plan: Plan, isByThread = false): RequestedHistory {
    return { from, most: this.#rangeDepths[plan] ?? 0, isByThread }
  }

  /** Market with the identifier of its exchange instead of an alias. */
  canonical(market: Market): Market {
    const exchange = this.#exchanges.find(market.exchange)
    return exchange ? atExchange(market, exchange) : market
  }

  /** Market in the spelling of its exchange; the symbol too if the list of symbols is in memory. */
  listed(market: Market): Market {
    const exchange = this.#exchanges.find(market.exchange)
    if (!exchange) return market
    const { source } = exchange
    return withSymbol(atExchange(market, exchange), listedSymbol(source, market.symbol))
  }

  /** Same as `listed`, after fetching the list of symbols if possible. Never rejects. */
  async fetchListed(market: Market): Promise<Market> {
    const source = this.#exchanges.find(market.exchange)?.source
    try {
      if (source?.spellings) await source.symbols()
    } catch {
      // Without a list, no spelling is known.
    }
    return this.listed(market)
  }

  /**
   * Candles of a market if they are in memory and fresh. Otherwise undefined: then `read` brings them up to date.
   * `known` caches the series of the market, so that it is looked up once.
   */
  readNow(market: Market, known: { series?: SeriesHandle | undefined } = {}): Inputs | undefined {
    let entry = known.series?.entry
    if (!entry) {
      const exchange = this.#exchanges.find(market.exchange)
      entry = exchange && this.#history.find(marketKey({ ...market, exchange: exchange.id }))
    }
    if (!entry || entry.source.traits?.refusal?.()) return undefined
    known.series = entry.handle
    return this.#history.readNow(entry)
  }

  /**
   * Candles of a market: immediately if they are fresh, otherwise after a refresh. First fetches count for the
   * account `callerId`; without it they count only for the whole service. With `requested`, for a query for a time,
   * includes candles older than those in memory. Never throws or rejects.
   */
  read(
    market: Market,
    callerId?: string,
    requested?: RequestedHistory,
  ): MarketReading | Promise<MarketReading> {
    const exchange = findExchange(this.#exchanges, market.exchange)
    if (isRefusal(exchange)) return refuse(exchange)
    const { source } = exchange
    const canonical = atExchange(market, exchange)
    const refusal = source.traits?.refusal?.()
    if (refusal) return refusalOf(refusal, canonical)
    try {
      const reading = requested
        ? this.#history.readRange(canonical, source, requested, callerId)
        : this.#history.read(canonical, source, callerId)
      if ('kind' in reading) return marketReading(reading, canonical)
      return reading.then(
        settled => marketReading(settled, canonical),
        error => refusalOf(error, canonical),
      )
    } catch (error) {
      return refusalOf(error, canonical)
    }
  }

  /** Refuses a reading whose newest candle ended more than `maxAge` seconds ago; otherwise returns the reading. */
  refuseOld<Read extends Reading | RefusedMarket>(
    reading: Read,
    market: Market,
    maxAge: number | undefined,
  ): Read | RefusedMarket {
    if (maxAge === undefined || reading.kind === 'refused' || reading.inputs[0].count === 0) return reading
    // There may be hours between two values. A series that could not be brought up to date is refused by its age.
    if (hasTimes(market.symbol) && !reading.stale) return reading
    const {
      inputs: [snapshot],
    } = reading
    const age = ageOf(market.timeframe, timestampAt(snapshot, snapshot.count - 1), this.#history.now)
    return age > maxAge ? refuse(candlesTooOld(market, age, maxAge)) : reading
  }

  /** Candles of a market in memory, without a refresh; the market has the identifier of its exchange. */
  recall(market: Market): Reading | undefined {
    return this.#history.recall(marketKey(market))
  }

  /** Same as `read`, for callers that wait until the candles have arrived. */
  readWhenReady(
    market: Market,
    callerId?: string,
    requested?: RequestedHistory,
  ): Promise<Reading | RefusedMarket> {
    return whenReady(this.read(market, callerId, requested))
  }

  /** The candles that were read of a market, as they were known at a time (Unix seconds). */
  asOf(market: Market, snapshot: Snapshot, time: number): Snapshot | Refusal {
    const canonical = this.canonical(market)
    return this.#history.asOf(canonical, snapshot, time, this.isComputed(canonical))
  }

  /** Whether the candles of a market are computed, so that no exchange is asked. */
  isComputed({ exchange }: Pick<Market, 'exchange'>): boolean {
    return this.#exchanges.find(exchange)?.source.isComputed === true
  }
}

export async function whenReady(
  read: MarketReading | Promise<MarketReading>,
): Promise<Reading | RefusedMarket> {
  const reading = await read
  return reading.kind === 'pending' ? reading.ready() : reading
}

function marketReading(reading: Reading | Pending | RangeReading, market: Market): MarketReading {
  if (reading.kind !== 'pending') return reading
  const { key, ready, progress } = reading
  return { kind: 'pending', key, ready: () => toRefusal(ready, market), progress }
}

const atExchange = (market: Market, { id }: Exchange): Market =>
  market.exchange === id ? market : { ...market, exchange: id }

const withSymbol = (market: Market, symbol: string): Market =>
  symbol === market.symbol ? market : { ...market, symbol }

const toRefusal = (
  reading: Promise<Reading | RefusedMarket>,
  market: Market,
): Promise<Reading | RefusedMarket> => reading.catch(error => refusalOf(error, market))

const refusalOf = (error: unknown, { exchange, symbol }: Market): RefusedMarket =>
  refuse(sourceRefusal(error, exchange, symbol))
