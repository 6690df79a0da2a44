import type { Snapshot } from '../candles/columns.js'
import { keyOf, type Market } from '../contract/market.js'
import { type Source, SourceFailure } from '../exchanges/source.js'
import type { History } from '../history/history.js'
import { Feed, type FeedSettings } from './feed.js'

/** Hears of the candles of one market. */
export interface Follower {
  /** The series moved. Called in the order of events; never from within `follow`. */
  onChange(snapshot: Snapshot): void
}

/** A market that is followed. */
export interface FollowedMarket {
  /** The candles as they are now. */
  snapshot(): Snapshot
  /** Ends it. Nothing is heard afterwards. */
  release(): void
}

/** Markets that are kept up to date as they move, however many follow each. */
export interface LiveMarkets {
  /** Markets that are watched or polled at present. */
  readonly feeds: number
  /** Resolves when the candles are there; rejects with a SourceFailure when they cannot be had. */
  follow(market: Market, source: Source, follower: Follower): Promise<FollowedMarket>
  close(): Promise<void>
}

interface Options
  extends Pick<FeedSettings, 'formingPerSecond' | 'pollSeconds' | 'clock'>,
    Partial<Pick<FeedSettings, 'backoffMs' | 'onFault'>> {
  readonly history: Pick<History, 'pin'>
  /** How long a market is kept up to date after its last follower has gone. */
  readonly lingerSeconds: number
}

/** How often the feeds look at the clock. */
const tickMs = 250

interface Opened {
  readonly feed: Promise<Feed>
  followers: number
  isOpen: boolean
  lingering: NodeJS.Timeout | undefined
}

/** One feed per series, opened by the first follower and closed some time after the last one has gone. */
export function createLiveMarkets({ history, lingerSeconds, ...options }: Options): LiveMarkets {
  const settings: FeedSettings = { backoffMs: 1000, onFault: () => {}, ...options }
  const opened = new Map<string, Opened>()
  const running = new Set<Feed>()
  let ticking: NodeJS.Timeout | undefined
  let isClosed = false

  const tick = () => {
    for (const feed of running) feed.tick()
  }

  const open = (key: string, market: Market, source: Source): Opened => {
    const begin = async () => {
      const attached = await history.pin(market, source)
      if (isClosed) {
        attached.release()
        throw new SourceFailure('unavailable', 'the service is stopping')
      }
      const feed = new Feed(market, source, attached, settings)
      running.add(feed)
      entry.isOpen = true
      ticking ??= setInterval(tick, tickMs).unref()
      return feed
    }
    const entry: Opened = { feed: begin(), followers: 0, isOpen: false, lingering: undefined }
    opened.set(key, entry)
    entry.feed.catch(() => opened.delete(key))
    return entry
  }

  const end = async (key: string, entry: Opened) => {
    clearTimeout(entry.lingering)
    opened.delete(key)
    const feed = await entry.feed.catch(() => undefined)
    if (!feed) return
    running.delete(feed)
    if (running.size === 0) {
      clearInterval(ticking)
      ticking = undefined
    }
    await feed.close()
  }

  const leave = (key: string, entry: Opened) => {
    if (--entry.followers > 0 || isClosed) return
    entry.lingering = setTimeout(() => void end(key, entry), lingerSeconds * 1000).unref()
  }

  return {
    get feeds() {
      return running.size
    },

    async follow(market, source, follower) {
      if (isClosed) throw new SourceFailure('unavailable', 'the service is stopping')
      const key = keyOf(market)
      const entry = opened.get(key) ?? open(key, market, source)
      entry.followers++
      clearTimeout(entry.lingering)
      const feed = await entry.feed
      const remove = feed.add(follower)
      let isReleased = false
      return {
        snapshot: () => feed.snapshot(),
        release() {
          if (isReleased) return
          isReleased = true
          remove()
          leave(key, entry)
        },
      }
    },

    async close() {
      isClosed = true
      // What is not open yet gives itself back when its candles are there; nobody waits for that.
      const open = [...opened].filter(([, { isOpen }]) => isOpen)
      await Promise.all(open.map(([key, entry]) => end(key, entry)))
    },
  }
}
