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

/** What is counted about candles. */
export interface Counters {
  /** Requests to an exchange, by `exchange` and `outcome`. */
  readonly fetches: Counter
  /** How long requests to an exchange have taken, by `exchange` and `outcome`; computed candles are left out. */
  readonly fetchSeconds: Histogram
  /** Readings that could not be brought up to date, by `exchange`. */
  readonly stale: Counter
  /** Additions to the archive. */
  readonly writes: Counter
  /** Reads and writes of the archive that failed. */
  readonly failures: Counter
}

/** Counters that count nothing. */
export const noopCounters: Counters = {
  fetches: noopCounter,
  fetchSeconds: { add() {} },
  stale: noopCounter,
  writes: noopCounter,
  failures: noopCounter,
}

/** How long a failed first fetch is answered from memory, in seconds: then the exchange is asked again. */
export const failureCacheSeconds = { 'unknown-symbol': 30, 'no-series': 60, unavailable: 5 } as const

/** An error of a source as a failure: any other error than its own failures is a bug, and "unavailable" to the caller. */
export const asFailure = (error: unknown): SourceFailure =>
  error instanceof SourceFailure
    ? error
    : new SourceFailure('unavailable', String((error as Error)?.message ?? error), { cause: error })

/**
 * A market is not fetched for the first time, because too many others are being fetched for the first time: by one
 * caller, or by all callers together.
 */
export class TooManyFirstFetches extends SourceFailure {
  constructor(
    readonly scope: 'caller' | 'total',
    /** How many may be under way at once. */
    readonly limit: number,
    /** What there are too many of: markets, or exchanges from which nothing was fetched before. */
    readonly of: 'markets' | 'exchanges',
  ) {
    super('unavailable', `more than ${limit} ${of} are being fetched for the first time`, { retryAfter: 1 })
    this.name = 'TooManyFirstFetches'
  }
}

/** A reason such as `kraken: name not resolved`, for a text that names the exchange before it. */
function withoutSubject(reason: string, exchange: string): string {
  const subject = [`${exchange}: `, `${exchange} `].find(each => reason.startsWith(each)) ?? ''
  return reason.slice(subject.length)
}

/** The refusal of a request whose market data an exchange did not give: 404, 429 or 503. */
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
  // A request that has an id of its own is answered with that one.
  return { ...refusal, headers: { ...refusal.headers, 'X-Request-Id': failure.id } }
}

/** A fetch that an exchange has not answered. */
export interface FailedFetch {
  readonly market: Market
  readonly failure: SourceFailure
  /** How long it took. */
  readonly seconds: number
}

interface SourcedMarket {
  readonly market: Market
  readonly source: Source
}

interface Options {
  /** Requests, by `exchange` and `outcome`. */
  readonly fetches: Counter
  /** How long requests have taken, by `exchange` and `outcome`; computed candles are left out. */
  readonly seconds?: Histogram
  /** Called with each fetch that an exchange has not answered. */
  readonly onFailed?: (fetch: FailedFetch) => void
  /** Seconds for which an exchange that did not answer is taken to be down. */
  readonly downSeconds: number
}

/** More than there are exchanges. */
const maxDown = 1000

/** Fetches candles, counts it, and knows which exchanges are down. */
export class CandleFetcher {
  readonly #options: Options
  /** The exchanges that are taken to be down, by their identifiers. */
  readonly #down: RecentEntries<true>
  /** The exchanges whose last answer was a failure. */
  readonly #failing = new Set<string>()

  constructor(options: Options) {
    this.#options = options
    this.#down = recentEntries(maxDown, Math.max(1, Math.ceil(options.downSeconds * 1000)))
  }

  /** The newest `count` candles of a market, as the source answers. Rejects with what the source throws. */
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

  /** Counts a fetch of a market that failed, and reports it where the exchange has not answered. */
  report({ market, source }: SourcedMarket, error: unknown, startedAt: number): void {
    const failure = asFailure(error)
    if (isFailureOfExchange(error)) this.#failing.add(market.exchange)
    const seconds = this.#count(market, source, failure.kind, startedAt)
    // Otherwise the market does not exist, or not in this timeframe.
    if (failure.fault === undefined && !isFailureOfExchange(error)) return
    this.#options.onFailed?.({ market, failure, seconds })
  }

  #count({ exchange }: Market, { isComputed }: Source, outcome: string, startedAt: number): number {
    const taken = (performance.now() - startedAt) / 1000
    this.#options.fetches.add({ exchange, outcome })
    if (!isComputed) this.#options.seconds?.add(taken, { exchange, outcome })
    return taken
  }

  /** The exchanges whose last answer was a failure, sorted. */
  get failing(): readonly string[] {
    return [...this.#failing].sort()
  }

  /** Takes an exchange to be down for a while, or until it answers. */
  markDown({ exchange }: Market): void {
    this.#down.set(exchange, true)
  }

  isDown({ exchange }: Market): boolean {
    return this.#down.has(exchange)
  }
}

/** A failure without a cause is one of the request, such as a timeframe that the exchange does not have. */
const isFailureOfExchange = (error: unknown): boolean =>
  error instanceof SourceFailure && error.kind === 'unavailable' && error.cause !== undefined

/** How many there may be at once. */
interface Limits {
  readonly total: number
  /** Of those that one caller has started. */
  readonly perCaller: number
}

/** How many first fetches may be under way at once. */
export interface FirstFetchLimits extends Limits {
  /** How many exchanges may be fetched from that were never fetched from. */
  readonly exchanges?: Limits
}

/** A caller may begin with as many exchanges at once as one bulk request has constructs. */
const defaultExchangeLimits: Limits = { total: 50, perCaller: 20 }

/**
 * The series that are being fetched for the first time. A first fetch takes an exchange's time and memory for a thousand
 * candles, and the first one from an exchange opens it, so both are bounded, for each caller and for all of them.
 */
export class FirstFetches<Fetch extends { readonly ready: Promise<unknown> }> {
  readonly #limits: Required<FirstFetchLimits>
  readonly #fetches = new Map<string, Fetch>()
  /** Fetches under way by the caller that started them; callers without any are not in it. */
  readonly #byCaller = new Counts()
  /** The exchanges from which no first fetch has ended, with the callers that fetch from them. */
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

  /** Throws TooManyFirstFetches where one more is too many. Fetches without a caller count for the total only. */
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

/** The exchange of a series (`exchange:SYMBOL:timeframe`). */
const exchangeOf = (key: string): string => key.slice(0, key.indexOf(':'))
