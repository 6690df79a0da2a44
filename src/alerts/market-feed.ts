import type { Snapshot } from '../candles/columns.js'
import type { Market } from '../contract/market.js'
import { isRefusal } from '../contract/refusals.js'
import type { FollowedFeed } from '../feeds/feed-registry.js'
import { findExchange } from '../history/market-data.js'
import { backoffMs } from '../runtime/backoff.js'
import { pause } from '../runtime/pause.js'
import { maxBackoffMs, type RunnerOptions } from './runner-options.js'

type Host = Pick<RunnerOptions, 'feeds' | 'exchanges' | 'backoffMs' | 'onFault'>

/** The candles of a market that conditions are evaluated over. What fails is tried again until it is closed. */
export class MarketFeed {
  readonly #market: Market
  readonly #host: Host
  readonly #onChange: () => void
  readonly #ending = new AbortController()
  #feed: FollowedFeed | undefined
  #latest: Snapshot | undefined
  /** Why the market cannot be followed at present. */
  failure: unknown

  constructor(market: Market, host: Host, onChange: () => void) {
    this.#market = market
    this.#host = host
    this.#onChange = onChange
    void this.#follow()
  }

  /** The candles as they are; undefined before there are any. */
  get latest(): Snapshot | undefined {
    return this.#latest
  }

  close(): void {
    this.#ending.abort()
    this.#feed?.release()
  }

  async #follow(): Promise<void> {
    const { feeds, exchanges, onFault } = this.#host
    const { signal } = this.#ending
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const exchange = findExchange(exchanges, this.#market.exchange)
        if (isRefusal(exchange)) throw new Error(exchange.error)
        const market = { ...this.#market, exchange: exchange.id }
        const feed = await feeds.follow(market, exchange.source, snapshot => this.#change(snapshot))
        if (signal.aborted) return feed.release()
        this.#feed = feed
        this.failure = undefined
        return this.#change(feed.snapshot())
      } catch (error) {
        if (signal.aborted) return
        this.failure = error
        onFault(error, this.#market)
        await pause(backoffMs(failures, this.#host.backoffMs, maxBackoffMs), signal)
      }
    }
  }

  #change(snapshot: Snapshot): void {
    this.#latest = snapshot
    this.#onChange()
  }
}
