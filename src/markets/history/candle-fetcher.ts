import type { Market } from '../../contract/market.js'
import type { Counter } from '../../runtime/counter.js'
import type { Histogram } from '../../runtime/durations.js'
import { type RecentEntries, recentEntries } from '../../runtime/recent-entries.js'
import { type FetchedCandles, type FetchOptions, type Source, SourceFailure } from '../exchanges/source.js'
import { asFailure } from './failure.js'

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
