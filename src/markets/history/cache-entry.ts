import { ageOf, isOld } from '../../candles/age.js'
import type { Candle } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import type { Factors } from '../../candles/rescale.js'
import type { Series } from '../../candles/series.js'
import { openOf } from '../../candles/timeframe.js'
import { type Market, usualIntervalOf } from '../../contract/market.js'
import type { Droppable } from '../../runtime/caches.js'
import { freshSecondsOf, type Source } from '../exchanges/source.js'
import type { Reading } from './reading.js'

/** Weak handle of a series: `entry` is undefined once the series has left memory, so the handle does not keep its candles. */
export interface SeriesHandle {
  entry: CacheEntry | undefined
}

/** A series in memory, and how fresh it is. */
export interface CacheEntry extends Droppable {
  readonly key: string
  readonly handle: SeriesHandle
  readonly market: Market
  readonly source: Source
  /** Seconds for which its forming candle is fresh, where the source says so. */
  readonly freshSeconds: number | undefined
  /** The usual seconds between two values of a series that has them at single times only. */
  readonly usualInterval: number | undefined
  series: Series
  /** Undefined where the series is not archived. */
  readonly archived: ArchivedState | undefined
  /** Feeds that have pinned it. */
  pins: number
  /** A feed keeps it up to date, so the exchange is not asked for it. */
  isCurrent: boolean
  /** When the last fetch was sent, or when it failed, in Unix seconds of the exchange's clock. */
  lastFetchAt: number
  /** The last fetch failed. */
  isStale: boolean
  /** The refresh under way: its reading, or the candles as they are once it takes longer than a reader waits. */
  boundedRefresh: Promise<Reading> | undefined
  /** The feed shows another scale, so all candles are fetched again: ends that. */
  rescaling: AbortController | undefined
  /** What the feed has shown since, by open time: it is added to what is fetched. */
  readonly held: Map<number, Candle>
  /**
   * Seconds by which the exchange's clock is ahead of ours, at least: its newest candle may open in what is the future
   * here.
   */
  clockSkewSeconds: number
}

/** How a series in memory relates to the archive. */
export interface ArchivedState {
  /** The archive has lost candles below those in memory, so the next refresh fetches all of them. */
  isIncomplete: boolean
  /** Older candles are being fetched in the background. */
  isDeepening: boolean
  /** The archive may lack candles between others that memory does not hold, as far as is known without looking. */
  mayHaveHole: boolean
  /**
   * How the candles in memory are written as a whole, because an earlier write of some of them has failed: newer ones by
   * themselves would leave a hole. Undefined where the archive has all of them.
   */
  unwritten?: 'write' | 'replace' | undefined
  /** They are being written. */
  isRewriting?: boolean
  /** By what older ones are multiplied where those in memory replace the others of the archive. */
  unwrittenScale?: Factors | undefined
  /** Whether archived candles that memory does not hold may be left in another scale, as far as is known without looking. */
  mayBeUnscaled?: boolean
}

type EntryOptions = Pick<CacheEntry, 'key' | 'market' | 'source' | 'series' | 'archived' | 'lastFetchAt'>

export const createEntry = (options: EntryOptions): CacheEntry => ({
  ...options,
  handle: { entry: undefined },
  isUsed: false,
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

/** Since when (Unix seconds) an answer of the exchange is fresh at `now`: no candle has closed after it either. */
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

/** Seconds by which the clock of the exchange is ahead of `now`, as far as the newest candle shows it. */
export const clockSkewOf = (series: Series, now: number): number => Math.max(0, (series.newest ?? 0) - now)

/** What is read of a series at `now`, in Unix seconds of the exchange's clock. */
export function readingOf(
  { series, isStale, market: { timeframe }, source, usualInterval }: CacheEntry,
  now: number,
  isOutdated = isStale,
): Reading {
  const snapshot = series.snapshot()
  const newest = snapshot.forming?.timestamp ?? snapshot.columns.timestamp[snapshot.closed - 1]
  const { hours } = source
  const interval = usualInterval && intervalOf(snapshot, usualInterval)
  const stale =
    isOutdated ||
    (newest !== undefined && !source.isComputed && isOld(timeframe, newest, now, { hours, interval }))
  return stale
    ? { kind: 'candles', snapshot, stale, age: ageOf(timeframe, newest ?? now, now) }
    : { kind: 'candles', snapshot, stale }
}

/** Candles by which the interval of a series is known. */
const judgedCandles = 10

/** Seconds between two values, as the newest candles show it: the longest time between two of them, but for one that is missing. */
function intervalOf({ columns, closed }: Snapshot, usual: number): number {
  const count = Math.min(closed, judgedCandles)
  if (count < 3) return usual
  const times = columns.timestamp.subarray(closed - count, closed)
  const distances = Array.from(times.subarray(1), (time, k) => time - (times[k] as number))
  return distances.sort((a, b) => a - b).at(-2) as number
}

/** Candles that are held of a series, at most: a feed asks for what it misses. */
const maxHeld = 100

/** Holds the newest candles that a feed shows while a series is fetched in another scale. */
export function hold({ series, held }: CacheEntry, candles: readonly Candle[]): void {
  const known = series.newest ?? Number.NEGATIVE_INFINITY
  for (const candle of candles) {
    if (candle.timestamp < known || (held.size >= maxHeld && !held.has(candle.timestamp))) continue
    held.set(candle.timestamp, candle)
  }
}
