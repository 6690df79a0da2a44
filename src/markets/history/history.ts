import type { Candle } from '../../candles/candle.js'
import type { Inputs, Snapshot } from '../../candles/columns.js'
import { isInAnotherScale } from '../../candles/rescale.js'
import { openOf } from '../../candles/timeframe.js'
import { type Market, marketKey } from '../../contract/market.js'
import type { Refusal } from '../../contract/refusals.js'
import { recentEntries } from '../../runtime/caches.js'
import { finish, piecesOf, type Scheduler, scheduler } from '../../runtime/scheduler.js'
import type { Archive } from '../archive/archive.js'
import { type Source, SourceFailure } from '../exchanges/source.js'
import { snapshotAsOf } from './as-of.js'
import { type CacheEntry, freshSince, hold, readingOf, SeriesCache } from './cache-entry.js'
import {
  asFailure,
  CandleFetcher,
  type Counters,
  type FailedFetch,
  FirstFetches,
  type FirstFetchLimits,
  failureCacheSeconds,
  noopCounters,
} from './candle-fetcher.js'
import type { OlderLocation } from './older-reader.js'
import { RangeReader, type RangeReading, type RequestedHistory } from './range-reader.js'
import type { Pending, Reading } from './reading.js'
import { Refresher } from './refresher.js'
import { SeriesArchive } from './series-archive.js'

interface Options {
  /** Number of candles to fetch for a new series, and minimum number to keep. */
  readonly depth: number
  /** Memory limit of all series together. Above it, the least recently used series are dropped. */
  readonly bytes: number
  /** Seconds for which the forming candle counts as fresh, unless the source sets another number. */
  readonly refreshSeconds: number
  readonly clock: () => number
  /** Store of closed candles beyond this process. Without it they are in memory only. */
  readonly archive?: Archive
  /** Location of the archived candles of a series for threads. Without it no thread reads them. */
  readonly locationOf?: (key: string) => OlderLocation
  readonly firstFetchLimits?: FirstFetchLimits
  /** Schedules the opening of series, of which a request may name many. Without it no opening waits for another one. */
  readonly scheduler?: Scheduler
  readonly counters?: Partial<Counters>
  /** Called if the archive cannot be read or written, and with bugs of sources. The service continues. */
  readonly onFailure?: (error: unknown) => void
  readonly onFetchFailed?: (fetch: FailedFetch) => void
  /** Called if an exchange shows a series in another scale. `note` tells the result for candles that it does not show. */
  readonly onRescaled?: (key: string, note: string) => void
}

/** A series that a feed keeps up to date. It stays in memory until it is released. */
export interface PinnedSeries {
  /** While true, readers get this series without a request to the exchange, because the feed adds new candles. */
  isCurrent: boolean
  /** Maximum number of candles, apart from a quarter more. */
  readonly depth: number
  snapshot(): Snapshot
  /** Seconds since the end of the newest candle, if the candles are old or could not be brought up to date. */
  age(): number | undefined
  /**
   * Adds candles from a feed, and returns the series with them. Candles that end by `now` (Unix seconds) are
   * closed. A feed passes the open time of the newest candle, so that a candle closes exactly when its successor
   * arrives.
   */
  merge(candles: readonly Candle[], now: number): Snapshot
  /** Computes the candles of a computed series again, after the clock was set back. */
  beginAnew(): Promise<void>
  release(): void
}

/** A caller may begin with a hundred markets at once. With more than five such callers, some have to wait. */
const defaultFirstFetchLimits: FirstFetchLimits = { total: 500, perCaller: 100 }

/** Maximum number of remembered failures of first fetches. */
const maxFailures = 10_000

/**
 * Candles of every market that was requested. Each series has one fetch at a time, however many read it. The first
 * fetch makes the series pending; later ones bring the newest candles up to date before a read. An archived series
 * is never pending. Closed candles are archived before a reader gets them.
 */
export class History {
  readonly #cache: SeriesCache
  readonly #archive: SeriesArchive
  readonly #fetcher: CandleFetcher
  readonly #refresher: Refresher
  readonly #firstFetches: FirstFetches<Pending>
  readonly #ranges: RangeReader
  /** Failure of the last first fetch per series, for as long as this failure is repeated to callers. */
  readonly #failures = recentEntries<SourceFailure>(maxFailures)
  readonly #onFailure: (error: unknown) => void

  constructor(private readonly options: Options) {
    const { bytes, refreshSeconds, clock, onFailure = () => {} } = options
    const counters = { ...noopCounters, ...options.counters }
    this.#onFailure = onFailure
    this.#cache = new SeriesCache(bytes)
    this.#archive = new SeriesArchive({ archive: options.archive, counters, onFailure, clock })
    this.#fetcher = new CandleFetcher({
      counters,
      ...(options.onFetchFailed && { onFailed: options.onFetchFailed }),
      downSeconds: 2 * refreshSeconds,
    })
    this.#refresher = new Refresher({
      fetcher: this.#fetcher,
      archive: this.#archive,
      cache: this.#cache,
      stale: counters.stale,
      refreshSeconds,
      clock,
      onBug: onFailure,
      onRescaled: options.onRescaled ?? (() => {}),
    })
    this.#firstFetches = new FirstFetches(options.firstFetchLimits ?? defaultFirstFetchLimits)
    this.#ranges = new RangeReader({
      ...{ depth: options.depth, clock, locationOf: options.locationOf, archive: options.archive },
      read: ({ market, source, callerId }) => this.read(market, source, callerId),
      reload: key => this.#reload(key),
      throwFailed: key => this.#throwFailed(key),
      onFailed: (request, error, startedAt) => {
        this.#fetcher.report(request, error, startedAt)
        this.#rememberFailure(marketKey(request.market), error)
      },
    })
  }

  get now(): number {
    return this.options.clock()
  }

  get size(): number {
    return this.#cache.size
  }

  get bytes(): number {
    return this.#cache.bytes
  }

  /** Exchanges whose last answer to a request for candles was a failure, sorted. */
  get failingExchanges(): readonly string[] {
    return this.#fetcher.failing
  }

  /** Whether a series (`exchange:SYMBOL:timeframe`) is in memory or is being fetched for the first time. */
  has(key: string): boolean {
    return this.#cache.has(key) || this.#firstFetches.has(key)
  }

  /** Candles of a series (`exchange:SYMBOL:timeframe`) in memory, without a refresh; undefined if it is not in memory. */
  recall(key: string): Reading | undefined {
    const entry = this.#cache.get(key)
    return entry && this.#readingOf(entry)
  }

  /** The candles that were read of a market, as they were known at a time (Unix seconds). */
  asOf(market: Market, snapshot: Snapshot, time: number, isComputed: boolean): Snapshot | Refusal {
    const { archive } = this.options
    const others = isComputed
      ? new Map()
      : (archive?.asOf(marketKey(market), time) ?? Number.POSITIVE_INFINITY)
    return snapshotAsOf(snapshot, market.timeframe, time, others)
  }

  /**
   * Candles of a market, brought up to date. A failure of the first fetch is thrown (or rejects) as a SourceFailure
   * for a while. If a refresh fails, the last candles are returned, marked stale.
   *
   * Throws TooManyFirstFetches if the market was never fetched and too many others are being fetched: for the
   * account `callerId`, or in total. Without `callerId` there is no limit per caller.
   */
  read(market: Market, source: Source, callerId?: string): Reading | Pending | Promise<Reading | Pending> {
    const key = marketKey(market)
    const entry = this.#cache.get(key)
    if (entry) return this.#readAgain(entry)
    const open = () => this.#open(key, market, source, callerId)
    if (this.#firstFetches.has(key)) return open()
    const preparing = this.#archive.prepare(key, source)
    if (preparing) return preparing.then(open)
    const { scheduler } = this.options
    return scheduler ? scheduler.run('series', open) : open()
  }

  /** Series of a market (`exchange:SYMBOL:timeframe`) if it is in memory. */
  find(key: string): CacheEntry | undefined {
    return this.#cache.get(key)
  }

  /** Candles of a series in memory if they are fresh and not old; undefined otherwise. */
  readNow(entry: CacheEntry): Inputs | undefined {
    const now = this.options.clock() + entry.clockSkewSeconds
    if (entry.isStale || (!entry.isCurrent && (entry.boundedRefresh || !this.#isFresh(entry, now))))
      return undefined
    const { inputs, stale } = readingOf(entry, now)
    return stale ? undefined : inputs
  }

  /** Candles of a series in memory, brought up to date as by `read`. Never throws or rejects. */
  #readAgain(entry: CacheEntry): Reading | Promise<Reading> {
    const { market } = entry
    const now = this.options.clock() + entry.clockSkewSeconds
    // A series with a feed is stale only if it could not be fetched in the scale that the feed shows.
    if (entry.isCurrent) return readingOf(entry, now, entry.rescaling !== undefined && entry.isStale)
    if (!entry.boundedRefresh && this.#isFresh(entry, now)) return this.#refresher.reading(entry, now)
    // A reader does not wait for an exchange that is down. The refresh notices its return.
    const isDown = this.#fetcher.isDown(market)
    const reading = entry.boundedRefresh ?? this.#refresher.refresh(entry)
    return isDown ? this.#refresher.reading(entry, now, true) : reading
  }

  /**
   * Candles of a market for a query for a time, including the ones older than those in memory. Pending if they must
   * be fetched. Refused if the time begins before all candles that may be fetched.
   */
  readRange(
    market: Market,
    source: Source,
    requested: RequestedHistory,
    callerId?: string,
  ): RangeReading | Promise<RangeReading> {
    return this.#ranges.read({ market, source, requested, callerId })
  }

  /** Reads the candles of a series in memory from the archive again. */
  #reload(key: string): void {
    const entry = this.#cache.get(key)
    if (!entry) return
    this.#archive.reload(entry)
    this.#cache.resize(entry)
  }

  /** Reads an archived series, or fetches a series for the first time. */
  #open(
    key: string,
    market: Market,
    source: Source,
    callerId: string | undefined,
  ): Reading | Pending | Promise<Reading> {
    const entry = this.#cache.get(key) ?? this.#openArchived(key, market, source)
    return entry ? this.#readAgain(entry) : this.#fetchFirst(key, market, source, callerId)
  }

  #readingOf(entry: CacheEntry): Reading {
    return readingOf(entry, this.options.clock() + entry.clockSkewSeconds)
  }

  /** Keeps the series of a market in memory for a feed, after a first fetch if needed. Rejects with a SourceFailure. */
  async pin(market: Market, source: Source): Promise<PinnedSeries> {
    const reading = await this.read(market, source)
    if (reading.kind === 'pending') await reading.ready
    const entry = this.#cache.get(marketKey(market))
    // The series was dropped from memory immediately, to free memory for others.
    if (!entry) return this.pin(market, source)
    this.#cache.pin(entry)
    let isReleased = false
    return {
      get isCurrent() {
        return entry.isCurrent
      },
      set isCurrent(value) {
        entry.isCurrent = value
      },
      get depth() {
        return entry.series.depth
      },
      snapshot: () => entry.series.snapshot(),
      age: () => this.#readingOf(entry).age,
      merge: (candles, now) => this.#mergePinned(entry, candles, now),
      beginAnew: () => this.#refresher.recompute(entry),
      release: () => {
        if (isReleased) return
        isReleased = true
        this.#cache.unpin(entry)
      },
    }
  }

  #mergePinned(entry: CacheEntry, candles: readonly Candle[], now: number): Snapshot {
    // Added to candles of the old scale, these would produce values of two scales.
    if (entry.rescaling) {
      hold(entry, candles)
      return entry.series.snapshot()
    }
    const { newestClosed, depth } = entry.series
    const isBeyond = candles.length >= depth && (candles[0] as Candle).timestamp > (newestClosed ?? 0)
    if (isInAnotherScale(entry.series.snapshot(), candles, entry.source.traits?.isRestated))
      this.#refresher.rescale(entry)
    // Candles in between are beyond the depth of the series, so it would have a hole.
    else if (isBeyond) finish(this.#archive.replaceAll(entry, candles, now))
    else {
      this.#archive.merge(entry, candles, now)
      // A series with a feed is not refreshed, so candles written by a backfill are read when a candle closes.
      if (entry.series.newestClosed !== newestClosed) {
        this.#archive.catchUp(entry)
        this.#refresher.fillHoles(entry)
      }
    }
    entry.lastFetchAt = this.options.clock() + entry.clockSkewSeconds
    entry.isStale = false
    return entry.series.snapshot()
  }

  /** Whether the candles were fetched so recently that none has closed since and the forming one is good enough. */
  #isFresh({ market: { timeframe }, freshSeconds, lastFetchAt }: CacheEntry, now: number): boolean {
    const elapsed = now - lastFetchAt
    // Negative after the clock was set back.
    const isRecent = elapsed >= 0 && elapsed < (freshSeconds ?? this.options.refreshSeconds)
    return isRecent && openOf(timeframe, now) === openOf(timeframe, lastFetchAt)
  }

  #openArchived(key: string, market: Market, source: Source): CacheEntry | undefined {
    if (this.#firstFetches.has(key)) return undefined
    const entry = this.#archive.open(key, market, source)
    if (entry) this.#cache.put(entry)
    return entry
  }

  #fetchFirst(
    key: string,
    market: Market,
    source: Source,
    callerId: string | undefined,
  ): Pending | Promise<Reading> {
    let fetch = this.#firstFetches.get(key)
    if (!fetch) {
      this.#throwFailed(key)
      // Computed candles cost no exchange time, so any number of fetches may run.
      const caller = source.isComputed ? undefined : callerId
      if (!source.isComputed) this.#firstFetches.check(key, caller)
      const ready = this.#fetchAll(key, market, source).finally(() => this.#firstFetches.finish(key, caller))
      ready.catch(error => this.#rememberFailure(key, error))
      fetch = { kind: 'pending', key: `candles:${key}`, ready }
      this.#firstFetches.add(key, fetch, caller)
    }
    return source.isComputed ? fetch.ready : fetch
  }

  async #fetchAll(key: string, market: Market, source: Source): Promise<Reading> {
    const startedAt = this.options.clock()
    const minDepth = this.options.depth
    const entry = this.#archive.createEmpty(key, market, source, { minDepth, now: startedAt })
    const since = freshSince(entry, this.options.refreshSeconds, startedAt)
    const candles = await this.#fetcher.fetch(entry, entry.series.depth, { since })
    const requestedAt = candles.requestedAt ?? startedAt
    // Readers get the series only when it is whole. Many first fetches may end at once, as those of a screen do,
    // and each needs a transaction of the archive.
    for (const piece of piecesOf(candles)) {
      await scheduler.slice('series')
      this.#archive.mergeFirst(entry, piece, requestedAt)
    }
    this.#refresher.markFresh(entry, requestedAt)
    return this.#refresher.readingNow(entry)
  }

  #throwFailed(key: string): void {
    const failed = this.#failures.get(key)
    if (failed) throw failed
  }

  #rememberFailure(key: string, error: unknown): void {
    if (!(error instanceof SourceFailure)) this.#onFailure(error)
    const failure = asFailure(error)
    this.#failures.set(key, failure, { ttl: failureCacheSeconds[failure.kind] * 1000 })
  }
}
