import { type Candle, inOrder, isEarlier } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import { type Factors, isInAnotherScale, restInScale, scaleOf } from '../../candles/rescale.js'
import { candlesBetween, endOf } from '../../candles/timeframe.js'
import { backoffMs } from '../../runtime/backoff.js'
import { withTimeout } from '../../runtime/deadline.js'
import type { Counter } from '../../runtime/metric.js'
import { pause } from '../../runtime/pause.js'
import { finishInSlices } from '../../runtime/scheduler.js'
import { type FetchedCandles, SourceFailure } from '../exchanges/source.js'
import { type CacheEntry, clockSkewOf, freshSince, readingOf, type SeriesCache } from './cache-entry.js'
import type { CandleFetcher } from './candle-fetcher.js'
import type { Reading } from './reading.js'
import type { SeriesArchive } from './series-archive.js'

/** Candles fetched to bring a series up to date. */
export interface Tail {
  readonly candles: readonly Candle[]
  /**
   * Kind of the candles: the newest ones, to be added to the series; all of its candles, which also fill holes; or
   * a replacement of all known candles.
   */
  readonly kind: 'newest' | 'all' | 'replacement'
  /** Request time of the newest candles (Unix seconds), if the answer is older than this fetch. */
  readonly requestedAt: number | undefined
  /** Factors by which known candles were multiplied, if they were. */
  readonly scale?: Factors
  /** Text about older candles, if the exchange shows the series in another scale without them. */
  readonly note?: string
}

/**
 * Additional candles in a request between two known ones. Some sources answer with the newest candles whatever
 * `until` says, and a few of them may have begun during the fetch.
 */
const spareCandles = 5

/**
 * Fetches the candles that a series lacks at its end. Fetches all if the series would otherwise have a hole or two
 * scales. `now` is the time of the exchange, in Unix seconds. Candles that were requested at `since` or later are
 * new enough.
 */
export async function fetchTail(
  fetcher: CandleFetcher,
  entry: CacheEntry,
  now: number,
  since: number,
): Promise<Tail> {
  const { series, market } = entry
  const { depth, newestClosed } = series
  const isIncomplete = entry.archived?.isIncomplete === true
  const missing = Math.max(0, Math.ceil(candlesBetween(market.timeframe, series.newest ?? 0, now))) + 2
  const isWhole = isIncomplete || missing >= depth
  const newest = await fetcher.fetch(entry, isWhole ? depth : missing, { since })
  const candles = isWhole ? newest : await fetchBetween(fetcher, entry, newest)
  // When the clock was set forward, the older candles of a computed series may have been dropped. After it is set
  // back again, they are missing.
  if (entry.source.isComputed && series.isContradicted(candles, now))
    return tailOf(await fetcher.fetch(entry, depth), 'replacement')
  if (isInAnotherScale(series.snapshot(), candles, entry.source.traits?.isRestated)) {
    const all = await fetcher.fetch(entry, depth)
    return rescaledTail(series.snapshot(), all)
  }
  // All candles that the series may have are newer than its last one, so the candles in between are beyond its
  // depth. A market that was closed (a weekend of stocks) continues at its last candle instead.
  const oldest = candles[0]?.timestamp
  if (isWhole && oldest !== undefined && oldest > (newestClosed ?? Number.NEGATIVE_INFINITY))
    return tailOf(candles, 'replacement')
  return tailOf(candles, isIncomplete ? 'all' : 'newest')
}

const tailOf = (candles: FetchedCandles, kind: Tail['kind']): Tail => ({
  candles,
  kind,
  requestedAt: candles.requestedAt,
})

/**
 * All candles of a series whose exchange shows some of them in another scale. Known candles that the exchange does not
 * show are never dropped: they are scaled as well, or kept if the factor is unknown.
 */
export function rescaledTail(known: Snapshot, candles: FetchedCandles): Tail {
  const scale = scaleOf(known, candles)
  const oldest = candles[0]?.timestamp
  const hasOlder = oldest !== undefined && known.closed > 0 && (known.columns.timestamp[0] as number) < oldest
  const older = hasOlder ? `candles before ${new Date(oldest * 1000).toISOString()}` : ''
  if (scale === 'same' || scale === 'unknown') {
    const isMixed = hasOlder && scale === 'unknown'
    return {
      ...tailOf(candles, 'all'),
      ...(isMixed && { note: `${older} are kept, and may be in another price scale than newer ones` }),
    }
  }
  const all: FetchedCandles = [...restInScale(known, candles, scale), ...candles]
  return {
    ...tailOf(all, 'replacement'),
    requestedAt: candles.requestedAt,
    scale,
    ...(hasOlder && {
      note: `prices of ${older} were multiplied by ${scale.price}, volumes by ${scale.volume}`,
    }),
  }
}

/** Newest candles, and those between them and the series. An exchange may return fewer candles than requested. */
async function fetchBetween(
  fetcher: CandleFetcher,
  entry: CacheEntry,
  newest: FetchedCandles,
): Promise<FetchedCandles> {
  const { timeframe } = entry.market
  const last = entry.series.newestClosed
  if (last === undefined) return newest
  let candles = newest
  const { requestedAt } = newest
  for (;;) {
    const oldest = candles[0]?.timestamp
    if (oldest === undefined || oldest <= endOf(timeframe, last)) return candles
    const end = (candles.at(-1) as Candle).timestamp
    const count = Math.ceil(candlesBetween(timeframe, last, end)) + spareCandles
    const older = await fetcher.fetch(entry, count, { until: oldest })
    const between = older.filter(({ timestamp }) => timestamp < oldest)
    // The exchange has none: nothing was traded in between.
    if (between.length === 0) return candles
    candles = Object.assign([...between, ...candles], requestedAt === undefined ? {} : { requestedAt })
  }
}

interface Options {
  readonly fetcher: CandleFetcher
  readonly archive: SeriesArchive
  readonly cache: SeriesCache
  /** Readings that could not be brought up to date, by `exchange`. */
  readonly stale: Counter
  /** Seconds for which candles are fresh, unless their source sets another number. */
  readonly refreshSeconds: number
  /** Unix seconds. */
  readonly clock: () => number
  /** Called with every error that is no SourceFailure: it is a bug, of a source or of this code. */
  readonly onBug: (error: unknown) => void
  /** Called if an exchange shows a series in another scale. `note` tells the result for candles that it does not show. */
  readonly onRescaled: (key: string, note: string) => void
}

/** Longest wait of a reader for newer candles, in seconds. After it the candles in memory are read, marked stale. */
const maxRefreshWaitSeconds = 5

/** Milliseconds before a series in another scale is fetched once more; they double with every attempt, up to a minute. */
const rescaleBackoffMs = 1000
const maxRescaleBackoffMs = 60_000

/** Maximum number of series whose holes are filled at a time. Each costs up to thousands of requests of an exchange. */
const maxHoles = 5

/** Fetches the candles that series in memory lack: newer ones, older ones, and all of them in another scale. */
export class Refresher {
  /** Number of series whose holes are being filled. */
  #holes = 0

  constructor(private readonly options: Options) {}

  /** Reading of a series at `now`, in Unix seconds of the exchange's clock. */
  reading(entry: CacheEntry, now: number, isOutdated = entry.isStale): Reading {
    if (isOutdated) this.options.stale.add({ exchange: entry.market.exchange })
    return readingOf(entry, now, isOutdated)
  }

  readingNow(entry: CacheEntry, isOutdated = entry.isStale): Reading {
    return this.reading(entry, this.options.clock() + entry.clockSkewSeconds, isOutdated)
  }

  /**
   * Brings a series up to date. Resolves with its reading after the refresh, or after the longest wait of a reader.
   * If the refresh fails, the reading is stale. Never rejects.
   */
  refresh(entry: CacheEntry): Promise<Reading> {
    const refreshing = this.#refresh(entry).catch(error => this.#markStale(entry, error))
    entry.boundedRefresh = withTimeout(
      refreshing.then(() => this.readingNow(entry)),
      maxRefreshWaitSeconds,
    ).then(reading => reading ?? this.readingNow(entry, true))
    return entry.boundedRefresh
  }

  async #refresh(entry: CacheEntry): Promise<void> {
    const { archive, fetcher, clock, refreshSeconds } = this.options
    archive.catchUp(entry)
    // The answer shows candles in their state at the request. A candle that has ended since may have changed.
    const startedAt = clock()
    const since = freshSince(entry, refreshSeconds, startedAt)
    const tail = await fetchTail(fetcher, entry, startedAt + entry.clockSkewSeconds, since)
    const requestedAt = tail.requestedAt ?? startedAt
    if (tail.kind === 'newest') archive.merge(entry, tail.candles, requestedAt)
    else await this.#addWhole(entry, tail, requestedAt)
    archive.catchUp(entry)
    this.markFresh(entry, requestedAt)
    this.fillHoles(entry)
  }

  /** Marks a series as fresh: the exchange has answered a request that was sent at `startedAt` (Unix seconds). */
  markFresh(entry: CacheEntry, startedAt: number): void {
    entry.clockSkewSeconds = clockSkewOf(entry.series, startedAt)
    entry.lastFetchAt = startedAt + entry.clockSkewSeconds
    this.#end(entry, false)
  }

  #markStale(entry: CacheEntry, error: unknown): void {
    const { fetcher, clock, onBug } = this.options
    // The market was fetched earlier, so the exchange fails now. The failure of a first fetch would not show that.
    if (!(error instanceof SourceFailure)) onBug(error)
    else if (error.kind === 'unavailable') fetcher.markDown(entry.market)
    // The time until the next attempt begins now: the exchange may have needed long to fail.
    entry.lastFetchAt = clock() + entry.clockSkewSeconds
    this.#end(entry, true)
  }

  #end(entry: CacheEntry, isStale: boolean): void {
    entry.isStale = isStale
    entry.boundedRefresh = undefined
    this.options.cache.put(entry)
  }

  /** Adds all candles of a series, requested at `now`, to the known ones, or replaces the known ones. */
  async #addWhole(
    entry: CacheEntry,
    { candles, kind, note, scale }: Pick<Tail, 'candles' | 'kind' | 'note' | 'scale'>,
    now: number,
  ): Promise<void> {
    const { archive } = this.options
    // The archive stores a single pending scale, so an earlier one is finished first.
    if (scale) await finishInSlices('archive', archive.adjustSplit(entry))
    const all = inOrder(candles)
    if (kind === 'all') await finishInSlices('series', archive.mergeAll(entry, all, now))
    else {
      await finishInSlices('series', archive.replaceAll(entry, all, now, scale))
      if (entry.rescaling) this.#addHeld(entry, all.at(-1))
      entry.rescaling?.abort()
    }
    if (note !== undefined) this.options.onRescaled(entry.key, note)
  }

  /**
   * Adds candles that the feed has shown during the fetch: newer ones, and a later state of the last candle unless
   * it has closed.
   */
  #addHeld(entry: CacheEntry, last: Candle | undefined): void {
    if (!last) return
    const { forming } = entry.series.snapshot()
    const later = [...entry.held.values()]
      .filter(each => each.timestamp > last.timestamp || (forming && isLaterState(each, last)))
      .sort((a, b) => a.timestamp - b.timestamp)
    entry.held.clear()
    const newest = later.at(-1)?.timestamp
    if (newest !== undefined) this.options.archive.merge(entry, later, newest)
  }

  /** Fetches the candles that the archive of a series lacks, older ones or between others, in the background. */
  fillHoles(entry: CacheEntry): void {
    const { archive, cache } = this.options
    const { archived, series } = entry
    if (!archived || archived.isFilling || this.#holes === maxHoles) return
    if (!archived.mayHaveHole && series.count >= series.depth) return
    archived.mayHaveHole = false
    archived.isFilling = true
    this.#holes++
    let isFilled = false
    this.#inBackground(
      async () => {
        await archive.fillHoles(entry)
        isFilled = true
        cache.resize(entry)
      },
      () => {
        this.#holes--
        archived.isFilling = false
        archived.mayHaveHole ||= !isFilled
      },
    )
  }

  /** Computes a computed series again, and replaces it. */
  async recompute(entry: CacheEntry): Promise<void> {
    const { fetcher, clock } = this.options
    if (!entry.source.isComputed) return
    const candles = await fetcher.fetch(entry, entry.series.depth)
    await this.#addWhole(entry, { candles, kind: 'replacement' }, clock())
  }

  /**
   * Fetches the whole series again in the background, because its feed shows it in another scale. Retries until
   * this has succeeded or the last feed has ended. The series is stale after the first failure.
   */
  rescale(entry: CacheEntry): void {
    if (entry.rescaling) return
    const rescaling = new AbortController()
    entry.rescaling = rescaling
    this.#inBackground(
      () => this.#rescaleUntilDone(entry, rescaling.signal),
      () => {
        entry.rescaling = undefined
        entry.held.clear()
      },
    )
  }

  async #rescaleUntilDone(entry: CacheEntry, ended: AbortSignal): Promise<void> {
    for (let attempt = 0; !ended.aborted; attempt++) {
      const isDone = await this.#fetchRescaled(entry).catch(error => {
        if (!(error instanceof SourceFailure)) this.options.onBug(error)
        return false
      })
      // A refresh may have replaced the series during the fetch.
      if (isDone || ended.aborted) return
      entry.isStale = true
      await pause(backoffMs(attempt, rescaleBackoffMs, maxRescaleBackoffMs), ended)
    }
  }

  /** Whether the answer has all candles that the feed has shown, so that the series could be replaced. */
  async #fetchRescaled(entry: CacheEntry): Promise<boolean> {
    const { fetcher, clock } = this.options
    const startedAt = clock()
    const candles = await fetcher.fetch(entry, entry.series.depth)
    const last = candles.at(-1)
    // During the fetch the feed may have shown candles that the answer lacks, and others before these.
    if (!last || last.timestamp < Math.max(entry.series.newest ?? 0, ...entry.held.keys())) return false
    await this.#addWhole(entry, rescaledTail(entry.series.snapshot(), candles), startedAt)
    entry.isStale = false
    return true
  }

  #inBackground(work: () => Promise<void>, end: () => void): void {
    void work()
      // The candles are still missing, so the work is retried after the next refresh or event of the feed.
      .catch(error => {
        if (!(error instanceof SourceFailure)) this.options.onBug(error)
      })
      .finally(end)
  }
}

/** Whether `one` is a later state of the same candle in the same scale. */
const isLaterState = (one: Candle, other: Candle): boolean =>
  one.timestamp === other.timestamp && one.open === other.open && isEarlier(other, one)
