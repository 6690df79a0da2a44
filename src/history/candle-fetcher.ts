import type { Market } from '../contract/market.js'
import { type FetchedCandles, type FetchOptions, type Source, SourceFailure } from '../exchanges/source.js'
import type { Counter } from '../metrics/counter.js'
import { asFailure } from './failure.js'

interface Options {
  /** Requests, by `exchange` and `outcome`. */
  readonly fetches: Counter
  /** Seconds for which an exchange that did not answer is taken to be down. */
  readonly downSeconds: number
  /** Unix seconds. */
  readonly clock: () => number
}

/** Fetches candles, counts it, and knows which exchanges are down. */
export class CandleFetcher {
  readonly #options: Options
  /** Until when an exchange is taken to be down, by its identifier. */
  readonly #downUntil = new Map<string, number>()
  /** The exchanges whose last answer was a failure. */
  readonly #failing = new Set<string>()

  constructor(options: Options) {
    this.#options = options
  }

  /** The newest `count` candles of a market, as the source answers. Throws or rejects with what the source does. */
  fetch(
    { market, source }: { readonly market: Market; readonly source: Source },
    count: number,
    options: FetchOptions = {},
  ): FetchedCandles | Promise<FetchedCandles> {
    const { exchange, symbol, timeframe } = market
    const failed = (error: unknown): never => {
      if (isFailureOfExchange(error)) this.#failing.add(exchange)
      this.#options.fetches.add({ exchange, outcome: asFailure(error).kind })
      throw error
    }
    const arrived = (candles: FetchedCandles) => {
      this.#options.fetches.add({ exchange, outcome: 'ok' })
      this.#downUntil.delete(exchange)
      this.#failing.delete(exchange)
      return candles
    }
    try {
      const candles = source.candles(symbol, timeframe, count, options)
      return candles instanceof Promise ? candles.then(arrived, failed) : arrived(candles)
    } catch (error) {
      return failed(error)
    }
  }

  /** The exchanges whose last answer was a failure, sorted. */
  get failing(): readonly string[] {
    return [...this.#failing].sort()
  }

  /** Takes an exchange to be down for a while, or until it answers. */
  markDown({ exchange }: Market): void {
    this.#downUntil.set(exchange, this.#options.clock() + this.#options.downSeconds)
  }

  isDown({ exchange }: Market): boolean {
    return (this.#downUntil.get(exchange) ?? 0) > this.#options.clock()
  }
}

/** A failure without a cause is one of the request, such as a timeframe that the exchange does not have. */
const isFailureOfExchange = (error: unknown): boolean =>
  error instanceof SourceFailure && error.kind === 'unavailable' && error.cause !== undefined
