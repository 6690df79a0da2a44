import type { Market } from '../../contract/market.js'
import {
  exchangeUnavailable,
  type Refusal,
  symbolDelisted,
  symbolNotFound,
  tooManyFirstRequests,
} from '../../contract/refusals.js'
import { type RecentEntries, recentEntries } from '../../runtime/caches.js'
import { Counts } from '../../runtime/groups.js'
import { type Counter, type Histogram, noopCounter } from '../../runtime/metric.js'
import { type FetchedCandles, type FetchOptions, type Source, SourceFailure } from '../exchanges/source.js'

/** Counters of candle fetches and of the archive. */
export interface Counters {
  /** Duration of requests to an exchange, by `exchange` and `outcome`, without computed candles. */
  readonly fetchSeconds: Histogram
  /** Readings that could not be brought up to date, by `exchange`. */
  readonly stale: Counter
  /** Additions to the archive. */
  readonly writes: Counter
  /** Reads and writes of the archive that failed. */
  readonly failures: Counter
}

export const noopCounters: Counters = {
  fetchSeconds: { add() {} },
  stale: noopCounter,
  writes: noopCounter,
  failures: noopCounter,
}

/** Seconds for which a failed first fetch is answered from memory. After this the exchange is asked again. */
export const failureCacheSeconds = { 'unknown-symbol': 30, 'no-series': 60, unavailable: 5 } as const

/**
 * Converts an error of a source to a failure. An error that is no SourceFailure is a bug, and "unavailable" to the
 * caller.
 */
export const asFailure = (error: unknown): SourceFailure =>
  error instanceof SourceFailure
    ? error
    : new SourceFailure('unavailable', String((error as Error)?.message ?? error), { cause: error })

/** A market is not fetched for the first time, because too many first fetches are running: of one caller, or in total. */
export class TooManyFirstFetches extends SourceFailure {
  constructor(
    readonly scope: 'caller' | 'total',
    /** Maximum number that may run at once. */
    readonly limit: number,
    /** Exceeded limit: markets, or exchanges from which nothing was fetched yet. */
    readonly of: 'markets' | 'exchanges',
  ) {
    super('unavailable', `more than ${limit} ${of} are being fetched for the first time`, { retryAfter: 1 })
    this.name = 'TooManyFirstFetches'
  }
}

/** Removes the exchange from a reason such as `kraken: name not resolved`, for a text that begins with the exchange. */
function withoutSubject(reason: string, exchange: string): string {
  const subject = [`${exchange}: `, `${exchange} `].find(each => reason.startsWith(each)) ?? ''
  return reason.slice(subject.length)
}

/** Refusal of a request whose market data an exchange did not provide: 404, 429 or 503. */
export function sourceRefusal(error: unknown, exchange: string, symbol: string): Refusal {
  const failure = asFailure(error)
  if (failure.kind === 'unknown-symbol')
    return failure.isDelisted
      ? symbolDelisted(symbol, exchange)
      : symbolNotFound(symbol, exchange, failure.near)
  if (failure.kind === 'no-series') return { status: 404, error: failure.message }
  const seconds = failure.retryAfter ?? failureCacheSeconds.unavailable
  if (failure instanceof TooManyFirstFetches && failure.scope === 'caller')
    return tooManyFirstRequests(failure.limit, seconds, failure.of)
  const refusal = exchangeUnavailable(exchange, withoutSubject(failure.message, exchange), seconds)
  // A request with an id of its own is answered with that id.
  return { ...refusal, headers: { ...refusal.headers, 'X-Request-Id': failure.id } }
}

export interface FailedFetch {
  readonly market: Market
  readonly failure: SourceFailure
  readonly seconds: number
}

interface SourcedMarket {
  readonly market: Market
  readonly source: Source
}

interface Options {
  readonly counters: Pick<Counters, 'fetchSeconds'>
  readonly onFailed?: (fetch: FailedFetch) => void
  /** Seconds for which an exchange that did not answer counts as down. */
  readonly downSeconds: number
}

/** Larger than the number of exchanges. */
const maxDown = 1000

/** Fetches candles, counts the fetches, and tracks the exchanges that are down. */
export class CandleFetcher {
  /** Exchanges that count as down, by identifier. */
  readonly #down: RecentEntries<true>
  /** Exchanges whose last answer was a failure. */
  readonly #failing = new Set<string>()

  constructor(private readonly options: Options) {
    this.#down = recentEntries(maxDown, Math.max(1, Math.ceil(options.downSeconds * 1000)))
  }

  /** Newest `count` candles of a market from its source. Rejects with the source's error. */
  async fetch(
    { market, source }: SourcedMarket,
    count: number,
    options: FetchOptions = {},
  ): Promise<FetchedCandles> {
    const { exchange, symbol, timeframe } = market
    const startedAt = performance.now()
    try {
      const candles = await source.candles(symbol, timeframe, count, options)
      this.#count(market, source, 'ok', startedAt)
      this.#down.delete(exchange)
      this.#failing.delete(exchange)
      return candles
    } catch (error) {
      this.report({ market, source }, error, startedAt)
      throw error
    }
  }

  /** Counts a failed fetch of a market, and reports the fetch if the exchange is the cause. */
  report({ market, source }: SourcedMarket, error: unknown, startedAt: number): void {
    const failure = asFailure(error)
    if (isFailureOfExchange(error)) this.#failing.add(market.exchange)
    const seconds = this.#count(market, source, failure.kind, startedAt)
    // Otherwise the market does not exist, or not in this timeframe.
    if (failure.fault === undefined && !isFailureOfExchange(error)) return
    this.options.onFailed?.({ market, failure, seconds })
  }

  #count({ exchange }: Market, { isComputed }: Source, outcome: string, startedAt: number): number {
    const taken = (performance.now() - startedAt) / 1000
    if (!isComputed) this.options.counters.fetchSeconds.add(taken, { exchange, outcome })
    return taken
  }

  /** Exchanges whose last answer was a failure, sorted. */
  get failing(): readonly string[] {
    return [...this.#failing].sort()
  }

  /** Makes an exchange count as down for a while, or until it answers. */
  markDown({ exchange }: Market): void {
    this.#down.set(exchange, true)
  }

  isDown({ exchange }: Market): boolean {
    return this.#down.has(exchange)
  }
}

/** Whether the exchange has failed. A failure without a cause is one of the request, such as an unsupported timeframe. */
const isFailureOfExchange = (error: unknown): boolean =>
  error instanceof SourceFailure && error.kind === 'unavailable' && error.cause !== undefined

interface Limits {
  readonly total: number
  /** Limit per caller, for the fetches that the caller has started. */
  readonly perCaller: number
}

export interface FirstFetchLimits extends Limits {
  /** Maximum numbers of exchanges that are fetched from for the first time. */
  readonly exchanges?: Limits
}

/** A caller may begin with as many exchanges at once as one bulk request has constructs. */
const defaultExchangeLimits: Limits = { total: 50, perCaller: 20 }

/**
 * Series that are being fetched for the first time. A first fetch costs an exchange's time, and memory for a
 * thousand candles. The first fetch from an exchange also opens the exchange. Both are bounded per caller and in
 * total.
 */
export class FirstFetches<Fetch extends { readonly ready: Promise<unknown> }> {
  readonly #limits: Required<FirstFetchLimits>
  readonly #fetches = new Map<string, Fetch>()
  /** Number of running fetches per caller, without fetches that have no caller. */
  readonly #byCaller = new Counts()
  /** Exchanges from which no first fetch has ended, with the callers that fetch from them. */
  readonly #opening = new Map<string, Set<string | undefined>>()
  readonly #opened = new Set<string>()

  constructor(limits: FirstFetchLimits) {
    this.#limits = { exchanges: defaultExchangeLimits, ...limits }
  }

  get(key: string): Fetch | undefined {
    return this.#fetches.get(key)
  }

  has(key: string): boolean {
    return this.#fetches.has(key)
  }

  /** Throws TooManyFirstFetches if another fetch exceeds a limit. Fetches without a caller count only for the total. */
  check(key: string, callerId: string | undefined): void {
    const { total, perCaller } = this.#limits
    if (callerId !== undefined && this.#byCaller.of(callerId) >= perCaller)
      throw new TooManyFirstFetches('caller', perCaller, 'markets')
    if (this.#fetches.size >= total) throw new TooManyFirstFetches('total', total, 'markets')
    this.#checkExchange(exchangeOf(key), callerId)
  }

  /** Remembers a fetch until `finish` is called for it. */
  add(key: string, fetch: Fetch, callerId: string | undefined): void {
    this.#fetches.set(key, fetch)
    if (callerId !== undefined) this.#byCaller.change(callerId, 1)
    const exchange = exchangeOf(key)
    if (this.#opened.has(exchange)) return
    this.#opening.set(exchange, (this.#opening.get(exchange) ?? new Set()).add(callerId))
  }

  finish(key: string, callerId: string | undefined): void {
    this.#fetches.delete(key)
    const exchange = exchangeOf(key)
    this.#opening.delete(exchange)
    this.#opened.add(exchange)
    if (callerId !== undefined) this.#byCaller.change(callerId, -1)
  }

  #checkExchange(exchange: string, callerId: string | undefined): void {
    if (this.#opened.has(exchange)) return
    const { total, perCaller } = this.#limits.exchanges
    const callers = this.#opening.get(exchange)
    if (!callers && this.#opening.size >= total) throw new TooManyFirstFetches('total', total, 'exchanges')
    if (callerId === undefined || callers?.has(callerId)) return
    let ofCaller = 0
    for (const others of this.#opening.values()) if (others.has(callerId)) ofCaller++
    if (ofCaller >= perCaller) throw new TooManyFirstFetches('caller', perCaller, 'exchanges')
  }
}

/** Exchange of a series (`exchange:SYMBOL:timeframe`). */
const exchangeOf = (key: string): string => key.slice(0, key.indexOf(':'))
