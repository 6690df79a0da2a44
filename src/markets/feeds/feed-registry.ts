import type { Inputs, Snapshot } from '../../candles/columns.js'
import { type Market, type Markets, marketKey } from '../../contract/market.js'
import { type Source, SourceFailure } from '../exchanges/source.js'
import type { History } from '../history/history.js'
import { joinMarkets } from '../history/multi-market-reading.js'
import { Feed, type FeedSettings, type OnChange, type OnGone } from './feed.js'

/** View of a feed for one of its followers. */
export interface FollowedFeed {
  inputs(): Inputs
  /** Seconds since the end of the newest candle, if the candles are old. */
  age(): number | undefined
  /** Ends the following: `onChange` is not called after this. Further calls do nothing. */
  release(): void
}

/** Feeds of all followed markets: one per market, however many follow it. */
export type Feeds = Pick<FeedRegistry, 'size' | 'follow' | 'close'>

interface Options
  extends Pick<FeedSettings, 'formingPerSecond' | 'pollSeconds' | 'clock'>,
    Partial<Pick<FeedSettings, 'backoffMs' | 'onFault'>> {
  readonly history: Pick<History, 'pin'>
  /** Seconds for which a feed keeps running after its last follower has left. */
  readonly lingerSeconds: number
}

interface Entry {
  readonly feed: Promise<Feed>
  followers: number
  /** Closes the feed; runs while it has no followers. */
  closing: NodeJS.Timeout | undefined
}

/** Milliseconds between two ticks of the feeds. */
const tickMs = 250

/** Opens a feed for the first follower of a market, and closes it some time after the last one has left. */
export class FeedRegistry {
  readonly #history: Pick<History, 'pin'>
  readonly #lingerMs: number
  readonly #settings: FeedSettings
  /** Feeds by the key of their market, including feeds that are being opened. */
  readonly #entries = new Map<string, Entry>()
  readonly #open = new Set<Feed>()
  #ticking: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ history, lingerSeconds, ...settings }: Options) {
    this.#history = history
    this.#lingerMs = lingerSeconds * 1000
    this.#settings = { backoffMs: 1000, onFault: () => {}, ...settings }
  }

  /** Number of markets streamed or polled at present. */
  get size(): number {
    return this.#open.size
  }

  /**
   * Follows a market. Resolves when its candles have arrived; rejects with a SourceFailure if they cannot be
   * fetched. `onChange` is called in the order of the changes, and never before this has resolved. `onGone` is
   * called if the source does not know the market, as after its delisting.
   */
  async follow(market: Market, source: Source, onChange: OnChange, onGone?: OnGone): Promise<FollowedFeed> {
    if (this.#isClosed) throw stopping()
    const refusal = source.traits?.refusal?.()
    if (refusal) throw refusal
    const key = marketKey(market)
    const entry = this.#entries.get(key) ?? this.#createEntry(key, market, source)
    entry.followers++
    clearTimeout(entry.closing)
    const feed = await entry.feed
    const unfollow = feed.follow(onChange, onGone)
    let isReleased = false
    return {
      inputs: () => [feed.snapshot()],
      age: () => feed.age(),
      release: () => {
        if (isReleased) return
        isReleased = true
        unfollow()
        this.#leave(key, entry, feed)
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { closing } of this.#entries.values()) clearTimeout(closing)
    // A feed that is being opened releases its series itself when its candles arrive. This does not wait for it.
    this.#entries.clear()
    await Promise.all([...this.#open].map(feed => this.#close(feed)))
  }

  #createEntry(key: string, market: Market, source: Source): Entry {
    const entry: Entry = { feed: this.#createFeed(market, source), followers: 0, closing: undefined }
    this.#entries.set(key, entry)
    entry.feed.catch(() => this.#entries.delete(key))
    return entry
  }

  async #createFeed(market: Market, source: Source): Promise<Feed> {
    const series = await this.#history.pin(market, source)
    if (this.#isClosed) {
      series.release()
      throw stopping()
    }
    const feed = new Feed(market, source, series, this.#settings)
    this.#open.add(feed)
    this.#ticking ??= setInterval(() => this.#tick(), tickMs).unref()
    return feed
  }

  #tick(): void {
    for (const feed of this.#open) feed.tick()
  }

  #leave(key: string, entry: Entry, feed: Feed): void {
    if (--entry.followers > 0 || this.#isClosed) return
    const close = () => {
      this.#entries.delete(key)
      void this.#close(feed)
    }
    entry.closing = setTimeout(close, this.#lingerMs).unref()
  }

  async #close(feed: Feed): Promise<void> {
    this.#open.delete(feed)
    if (this.#open.size === 0) {
      clearInterval(this.#ticking)
      this.#ticking = undefined
    }
    await feed.close()
  }
}

const stopping = () => new SourceFailure('unavailable', 'the service is stopping')

export class MarketFailure extends Error {
  constructor(
    readonly market: Market,
    cause: unknown,
  ) {
    super(`${marketKey(market)} cannot be followed`, { cause })
  }
}

/**
 * Follows a market together with other markets. A change of any market is a change of the feed. Rejects with a
 * `MarketFailure` if a market cannot be followed.
 */
export async function followMarkets(
  follow: (market: Market, onChange: OnChange) => Promise<FollowedFeed>,
  markets: Markets,
  onChange: OnChange,
): Promise<FollowedFeed> {
  let joined: FollowedFeed | undefined
  const emit = () => joined && onChange(joined.inputs())
  const followed = await Promise.allSettled(markets.map(each => follow(each, emit)))
  const feeds = followed.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  const release = () => {
    for (const feed of feeds) feed.release()
  }
  const failed = followed.findIndex(({ status }) => status === 'rejected')
  if (failed >= 0) {
    release()
    const { reason } = followed[failed] as PromiseRejectedResult
    throw new MarketFailure(markets[failed] as Market, reason)
  }
  joined = {
    inputs: () => joinMarkets(markets, feeds.map(feed => feed.inputs()[0]) as [Snapshot, ...Snapshot[]]),
    age: () => {
      const ages = feeds.flatMap(feed => feed.age() ?? [])
      return ages.length > 0 ? Math.max(...ages) : undefined
    },
    release,
  }
  return joined
}
