import { LRUCache } from 'lru-cache'
import { ageOf, isOld } from '../../candles/age.js'
import type { Candle } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import type { Factors } from '../../candles/rescale.js'
import type { Series } from '../../candles/series.js'
import { openOf } from '../../candles/timeframe.js'
import { type Market, usualIntervalOf } from '../../contract/market.js'
import { freshSecondsOf, type Source } from '../exchanges/source.js'
import type { Reading } from './reading.js'

/**
 * Series in memory. Drops the least recently used ones if their candles need more than `maxBytes`. Series pinned by
 * a feed stay, and do not count.
 */
export class SeriesCache {
  readonly #entries = new Map<string, CacheEntry>()
  /** Bytes of the series that may be dropped. A look-up by key makes a series the most recently used one. */
  readonly unpinned: LRUCache<CacheEntry, number>
  readonly #pinned = new Set<CacheEntry>()

  constructor(maxBytes: number) {
    this.unpinned = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: bytes => bytes,
      dispose: (_, entry, reason) => reason === 'evict' && this.#forget(entry),
    })
  }

  /** Number of series in memory. */
  get size(): number {
    return this.#entries.size
  }

  /** Bytes of memory used by their candles. */
  get bytes(): number {
    let bytes = this.unpinned.calculatedSize
    for (const { series } of this.#pinned) bytes += series.bytes
    return bytes
  }

  get(key: string): CacheEntry | undefined {
    const entry = this.#entries.get(key)
    if (entry) this.unpinned.get(entry)
    return entry
  }

  /** Whether a series is in memory. Does not count as use. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  /** Adds a series, or measures its size again. It becomes the most recently used one. */
  put(entry: CacheEntry): void {
    const other = this.#entries.get(entry.key)
    if (other !== entry) {
      if (other && this.#pinned.has(other)) return
      if (other) this.#remove(other)
      this.#add(entry)
    }
    this.#measure(entry)
  }

  /** Measures the size of a series again, unless it was dropped. */
  resize(entry: CacheEntry): void {
    if (this.#entries.get(entry.key) === entry) this.#measure(entry)
  }

  /** Keeps a series in memory. Pins are counted: each call needs its own call of `unpin`. */
  pin(entry: CacheEntry): void {
    this.unpinned.delete(entry)
    this.#pinned.add(entry)
    this.#add(entry)
    entry.pins++
  }

  unpin(entry: CacheEntry): void {
    if (--entry.pins > 0) return
    entry.isCurrent = false
    // The next refresh finds out the scale.
    entry.rescaling?.abort()
    this.#pinned.delete(entry)
    this.#measure(entry)
  }

  #add(entry: CacheEntry): void {
    this.#entries.set(entry.key, entry)
    entry.handle.entry = entry
  }

  #remove(entry: CacheEntry): void {
    this.unpinned.delete(entry)
    this.#forget(entry)
  }

  #forget(entry: CacheEntry): void {
    this.#entries.delete(entry.key)
    entry.handle.entry = undefined
  }

  #measure(entry: CacheEntry): void {
    if (entry.pins > 0) return
    this.unpinned.set(entry, entry.series.bytes)
    // A series that is larger than the limit is not kept.
    if (!this.unpinned.has(entry)) this.#forget(entry)
  }
}

/** Weak handle of a series: `entry` is undefined once the series has left memory, so the handle does not keep its candles. */
export interface SeriesHandle {
  entry: CacheEntry | undefined
}

/** A series in memory, and how fresh it is. */
export interface CacheEntry {
  readonly key: string
  readonly handle: SeriesHandle
  readonly market: Market
  readonly source: Source
  /** Seconds for which the forming candle is fresh, if the source defines them. */
  readonly freshSeconds: number | undefined
  /** Usual seconds between two values, if the series has values at single times only. */
  readonly usualInterval: number | undefined
  series: Series
  /** Undefined if the series is not archived. */
  readonly archived: ArchivedState | undefined
  pins: number
  /** A feed keeps the series up to date, so the exchange gets no requests for it. */
  isCurrent: boolean
  /** Time at which the last fetch was sent or failed, in Unix seconds of the exchange's clock. */
  lastFetchAt: number
  /** The last fetch failed. */
  isStale: boolean
  /** Running refresh: resolves with its reading, or with the present candles after the longest wait of a reader. */
  boundedRefresh: Promise<Reading> | undefined
  /** Aborts the fetch of all candles that runs because the feed shows another scale. */
  rescaling: AbortController | undefined
  /** Candles that the feed has shown during that fetch, by open time; added to its result. */
  readonly held: Map<number, Candle>
  /** Minimum seconds by which the exchange's clock is ahead of ours: its newest candle may open in our future. */
  clockSkewSeconds: number
}

/** State of a series in memory relative to the archive. */
export interface ArchivedState {
  /** The archive has lost candles below those in memory, so the next refresh fetches all of them. */
  isIncomplete: boolean
  isFilling: boolean
  /** The archive may have holes outside of the candles in memory. Estimated without reading the archive. */
  mayHaveHole: boolean
  /**
   * Method to write all candles in memory, after a failed write of some. Writing only the newer ones would leave a
   * hole. Undefined if the archive has all of them.
   */
  unwritten?: 'write' | 'replace' | undefined
  isRewriting?: boolean
  /** Factors for older archived candles, if the candles in memory replace the rest of the archive. */
  unwrittenScale?: Factors | undefined
  /** Archived candles outside of memory may be in another scale. Estimated without reading the archive. */
  maySplitBePending?: boolean
}

type EntryOptions = Pick<CacheEntry, 'key' | 'market' | 'source' | 'series' | 'archived' | 'lastFetchAt'>

export const createEntry = (options: EntryOptions): CacheEntry => ({
  ...options,
  handle: { entry: undefined },
  freshSeconds: freshSecondsOf(options.source, options.market.symbol),
  usualInterval: usualIntervalOf(options.market.symbol),
  pins: 0,
  isCurrent: false,
  isStale: false,
  boundedRefresh: undefined,
  rescaling: undefined,
  held: new Map(),
  clockSkewSeconds: 0,
})

/** Earliest time (Unix seconds) of an answer of the exchange that is fresh at `now`. No candle has closed after it. */
export function freshSince(
  {
    freshSeconds,
    market,
    clockSkewSeconds,
  }: Pick<CacheEntry, 'freshSeconds' | 'market' | 'clockSkewSeconds'>,
  refreshSeconds: number,
  now: number,
): number {
  const open = openOf(market.timeframe, now + clockSkewSeconds) - clockSkewSeconds
  return Math.max(now - (freshSeconds ?? refreshSeconds), open)
}

/** Seconds by which the clock of the exchange is ahead of `now`, as far as the newest candle shows. */
export const clockSkewOf = (series: Series, now: number): number => Math.max(0, (series.newest ?? 0) - now)

/** Reading of a series at `now`, in Unix seconds of the exchange's clock. */
export function readingOf(
  { series, isStale, market: { timeframe }, source, usualInterval }: CacheEntry,
  now: number,
  isOutdated = isStale,
): Reading {
  const snapshot = series.snapshot()
  const newest = snapshot.forming?.timestamp ?? snapshot.columns.timestamp[snapshot.closed - 1]
  const hours = source.traits?.hours
  const interval = usualInterval && intervalOf(snapshot, usualInterval)
  const stale =
    isOutdated ||
    (newest !== undefined && !source.isComputed && isOld(timeframe, newest, now, { hours, interval }))
  return stale
    ? { kind: 'candles', inputs: [snapshot], stale, age: ageOf(timeframe, newest ?? now, now) }
    : { kind: 'candles', inputs: [snapshot], stale }
}

/** Number of newest candles from which the interval of a series is derived. */
const judgedCandles = 10

/** Seconds between two values: the second longest distance among the newest candles, so that one may be missing. */
function intervalOf({ columns, closed }: Snapshot, usual: number): number {
  const count = Math.min(closed, judgedCandles)
  if (count < 3) return usual
  const times = columns.timestamp.subarray(closed - count, closed)
  const distances = Array.from(times.subarray(1), (time, k) => time - (times[k] as number))
  return distances.sort((a, b) => a - b).at(-2) as number
}

/** Maximum number of held candles of a series. A feed fetches the candles that it misses. */
const maxHeld = 100

/** Holds the newest candles that a feed shows while a series is fetched in another scale. */
export function hold({ series, held }: CacheEntry, candles: readonly Candle[]): void {
  const known = series.newest ?? Number.NEGATIVE_INFINITY
  for (const candle of candles) {
    if (candle.timestamp < known || (held.size >= maxHeld && !held.has(candle.timestamp))) continue
    held.set(candle.timestamp, candle)
  }
}
