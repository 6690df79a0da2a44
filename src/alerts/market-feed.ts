import { type Snapshot, timestampAt } from '../candles/columns.js'
import type { Market } from '../contract/market.js'
import { isRefusal } from '../contract/refusals.js'
import type { FollowedFeed } from '../markets/feeds/feed-registry.js'
import { findExchange } from '../markets/history/market-data.js'
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
  /** The newest candle that was seen while candles were old, and when, in milliseconds of `performance.now()`. */
  #seen: { readonly newest: number; readonly atMs: number } | undefined
  /** Whether candles have come as time goes on since the market is followed. */
  #isLive = false
  /** Why the market cannot be followed at present. */
  failure: unknown

  constructor(market: Market, host: Host, onChange: () => void) {
    this.#market = market
    this.#host = host
    this.#onChange = onChange
    void this.#follow()
  }

  /** The candles as they are; undefined before there are any that are not old. */
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

  /** Old candles are no news: those of a market that has ended, or whose exchange cannot be reached. */
  #change(snapshot: Snapshot): void {
    this.#isLive ||= this.#feed?.age() === undefined || this.#hasMoved(snapshot)
    if (!this.#isLive) return
    this.#latest = snapshot
    this.#onChange()
  }

  /**
   * Whether the newest candle goes on with the time, so that candles look old only because the clock is ahead. What is fetched of a
   * time before moves it further at once.
   */
  #hasMoved(snapshot: Snapshot): boolean {
    if (snapshot.count === 0) return false
    const newest = timestampAt(snapshot, snapshot.count - 1)
    const before = this.#seen
    if (before?.newest === newest) return false
    const atMs = performance.now()
    this.#seen = { newest, atMs }
    return before !== undefined && newest - before.newest <= (2 * (atMs - before.atMs)) / 1000
  }
}
