import { type Candle, isEarlier } from '../../candles/candle.js'
import type { Snapshot } from '../../candles/columns.js'
import { type Factors, isInAnotherScale, restInScale, scaleOf } from '../../candles/rescale.js'
import { candlesBetween, endOf } from '../../candles/timeframe.js'
import { backoffMs } from '../../runtime/backoff.js'
import { withTimeout } from '../../runtime/deadline.js'
import type { Counter } from '../../runtime/metric.js'
import { pause } from '../../runtime/pause.js'
import { finishInSlices } from '../../runtime/scheduler.js'
import { type FetchedCandles, SourceFailure } from '../exchanges/source.js'
import { type CacheEntry, clockSkewOf, freshSince, readingOf } from './cache-entry.js'
import type { CandleFetcher } from './candle-fetcher.js'
import type { Reading } from './reading.js'
import type { SeriesArchive } from './series-archive.js'
import type { SeriesCache } from './series-cache.js'

/** What was fetched to bring a series up to date. */
export interface Tail {
  readonly candles: readonly Candle[]
  /**
   * What they are: the newest candles, to be added to the series; all of its candles, so that holes are filled too; or
   * a replacement of all that was there.
   */
  readonly kind: 'newest' | 'all' | 'replacement'
  /** When the exchange was asked for the newest of them (Unix seconds), where that was before this fetch. */
  readonly requestedAt: number | undefined
  /** By what known candles were multiplied, where they were. */
  readonly scale?: Factors
  /** What became of older candles, in words, where the exchange shows the series in another scale and does not show them. */
  readonly note?: string
}

/**
 * Candles that a request between two known ones asks for more than there is time between: some sources answer with the
 * newest candles whatever `until` says, and a few of them may have begun meanwhile.
 */
const spareCandles = 5

/**
 * Fetches what a series lacks at its end, or all of it where otherwise it would have a hole or two scales. `now` is the
 * time of the exchange, in Unix seconds; candles that were requested at `since` or later will do.
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
  // After the clock was set back, the older candles of a computed series may have been dropped when it was set forward.
  if (entry.source.isComputed && series.isContradicted(candles, now))
    return tailOf(await fetcher.fetch(entry, depth), 'replacement')
  if (isInAnotherScale(series.snapshot(), candles, entry.source.isRestated)) {
    const all = await fetcher.fetch(entry, depth)
    return rescaledTail(series.snapshot(), all)
  }
  // All candles that the series may have are newer than its last one: what lies between is beyond its depth. A market
  // that was closed meanwhile (a weekend of stocks) goes on where it was instead.
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
 * All candles that an exchange has of a series some of whose candles it shows in another scale. Those that it does not show
 * are never dropped: they are brought to the same scale, or kept where that cannot be told.
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

/** The newest candles with those between them and the series: an exchange may answer fewer than it was asked for. */
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
    // The exchange has none: nothing was traded between.
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
  /** Seconds for which candles are fresh where their source says nothing else. */
  readonly refreshSeconds: number
  /** Unix seconds. */
  readonly clock: () => number
  /** Called with every error that is no SourceFailure: it is a bug, of a source or of this code. */
  readonly onBug: (error: unknown) => void
  /** Called where an exchange shows a series in another scale, with what became of candles that it does not show. */
  readonly onRescaled: (key: string, note: string) => void
}

/** How long a reader waits for newer candles, in seconds; then the ones at hand are read, marked stale. */
const maxRefreshWaitSeconds = 5

/** Milliseconds before a series in another scale is fetched once more; they double with every attempt, up to a minute. */
const rescaleBackoffMs = 1000
const maxRescaleBackoffMs = 60_000

/** Series whose holes are filled at a time: each takes an exchange's time for up to thousands of requests. */
const maxHoles = 5

/** Fetches what series in memory lack: newer candles, older ones, and all of them in another scale. */
export class Refresher {
  readonly #options: Options
  /** Series whose holes are being filled. */
  #holes = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** What is read of a series at `now`, in Unix seconds of the exchange's clock. */
  reading(entry: CacheEntry, now: number, isOutdated = entry.isStale): Reading {
    if (isOutdated) this.#options.stale.add({ exchange: entry.market.exchange })
    return readingOf(entry, now, isOutdated)
  }

  readingNow(entry: CacheEntry, isOutdated = entry.isStale): Reading {
    return this.reading(entry, this.#options.clock() + entry.clockSkewSeconds, isOutdated)
  }

  /**
   * Brings a series up to date; its reading comes once that is done, or has taken as long as a reader waits. Where it fails,
   * the reading is stale; it never rejects.
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
    const { archive, fetcher, clock, refreshSeconds } = this.#options
    archive.catchUp(entry)
    // The answer shows candles as they were when it was asked for: a candle that has ended since may have changed.
    const startedAt = clock()
    const since = freshSince(entry, refreshSeconds, startedAt)
    const tail = await fetchTail(fetcher, entry, startedAt + entry.clockSkewSeconds, since)
    const requestedAt = tail.requestedAt ?? startedAt
    if (tail.kind === 'newest') archive.merge(entry, tail.candles, requestedAt)
    else await this.#addWhole(entry, tail, requestedAt)
    archive.catchUp(entry)
    this.markFresh(entry, requestedAt)
    this.#deepen(entry)
    this.fillHole(entry)
  }

  /** Marks a series as fresh: the exchange has answered a request that was sent at `startedAt` (Unix seconds). */
  markFresh(entry: CacheEntry, startedAt: number): void {
    entry.clockSkewSeconds = clockSkewOf(entry.series, startedAt)
    entry.lastFetchAt = startedAt + entry.clockSkewSeconds
    this.#end(entry, false)
  }

  /** Marks a series as stale. */
  #markStale(entry: CacheEntry, error: unknown): void {
    const { fetcher, clock, onBug } = this.#options
    // The market was fetched before, so it is the exchange that fails now; a first fetch that fails does not show that.
    if (!(error instanceof SourceFailure)) onBug(error)
    else if (error.kind === 'unavailable') fetcher.markDown(entry.market)
    // The time until the next attempt begins now: the exchange may have taken long to fail.
    entry.lastFetchAt = clock() + entry.clockSkewSeconds
    this.#end(entry, true)
  }

  #end(entry: CacheEntry, isStale: boolean): void {
    entry.isStale = isStale
    entry.boundedRefresh = undefined
    this.#options.cache.put(entry)
  }

  /** Adds all candles of a series, asked for at `now`, to those that are known, or replaces these by them. */
  async #addWhole(
    entry: CacheEntry,
    { candles, kind, note, scale }: Pick<Tail, 'candles' | 'kind' | 'note' | 'scale'>,
    now: number,
  ): Promise<void> {
    const { archive } = this.#options
    // Two scales cannot wait for each other.
    if (scale) await finishInSlices('archive', archive.scale(entry))
    const whole = await finishInSlices('series', archive.prepareWhole(entry, candles, now))
    if (kind === 'all') await finishInSlices('series', archive.mergeAll(entry, whole, now))
    else {
      archive.replace(entry, whole, scale)
      if (entry.rescaling) this.#addHeld(entry, whole.candles.at(-1))
      entry.rescaling?.abort()
    }
    if (note !== undefined) this.#options.onRescaled(entry.key, note)
  }

  /** Adds what the feed has shown meanwhile: a later state of the last candle, unless that has closed, and newer ones. */
  #addHeld(entry: CacheEntry, last: Candle | undefined): void {
    if (!last) return
    const { forming } = entry.series.snapshot()
    const later = [...entry.held.values()]
      .filter(each => each.timestamp > last.timestamp || (forming && isLaterState(each, last)))
      .sort((a, b) => a.timestamp - b.timestamp)
    entry.held.clear()
    const newest = later.at(-1)?.timestamp
    if (newest !== undefined) this.#options.archive.merge(entry, later, newest)
  }

  /** Fetches the older candles of a series that is shorter than its depth, once, in the background. */
  #deepen(entry: CacheEntry): void {
    const { fetcher, archive, cache, clock } = this.#options
    const { archived, series } = entry
    if (!archived || archived.isDeepening || series.count >= series.depth) return
    if (archive.isWholeDepthRequested(entry)) return
    archived.isDeepening = true
    this.#inBackground(
      async () => {
        const startedAt = clock()
        const candles = await fetcher.fetch(entry, series.depth, { isBackground: true })
        await this.#addWhole(entry, { candles, kind: 'all' }, startedAt)
        cache.resize(entry)
      },
      () => {
        archived.isDeepening = false
      },
    )
  }

  /** Fetches the candles that the archive of a series lacks between others, in the background. */
  fillHole(entry: CacheEntry): void {
    const { archive, cache } = this.#options
    const { archived } = entry
    if (!archived?.mayHaveHole || archived.isDeepening || this.#holes === maxHoles) return
    archived.mayHaveHole = false
    archived.isDeepening = true
    this.#holes++
    let isFilled = false
    this.#inBackground(
      async () => {
        await archive.fillHole(entry)
        isFilled = true
        cache.resize(entry)
      },
      () => {
        this.#holes--
        archived.isDeepening = false
        archived.mayHaveHole = !isFilled
      },
    )
  }

  /** Replaces a series that its source computes by what it computes now. */
  async recompute(entry: CacheEntry): Promise<void> {
    const { fetcher, clock } = this.#options
    if (!entry.source.isComputed) return
    const candles = await fetcher.fetch(entry, entry.series.depth)
    await this.#addWhole(entry, { candles, kind: 'replacement' }, clock())
  }

  /**
   * Fetches the whole series again in the background, because its feed shows it in another scale: until that has succeeded, or no
   * feed is there any more. It is stale after the first failure.
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
        if (!(error instanceof SourceFailure)) this.#options.onBug(error)
        return false
      })
      // A refresh may have replaced it meanwhile.
      if (isDone || ended.aborted) return
      entry.isStale = true
      await pause(backoffMs(attempt, rescaleBackoffMs, maxRescaleBackoffMs), ended)
    }
  }

  /** Whether the exchange has answered all that the feed has shown, so that the series could be replaced. */
  async #fetchRescaled(entry: CacheEntry): Promise<boolean> {
    const { fetcher, clock } = this.#options
    const startedAt = clock()
    const candles = await fetcher.fetch(entry, entry.series.depth)
    const last = candles.at(-1)
    // The feed may have shown candles meanwhile that the answer does not have, and others before these.
    if (!last || last.timestamp < Math.max(entry.series.newest ?? 0, ...entry.held.keys())) return false
    await this.#addWhole(entry, rescaledTail(entry.series.snapshot(), candles), startedAt)
    entry.isStale = false
    return true
  }

  #inBackground(work: () => Promise<void>, end: () => void): void {
    void work()
      // What was to be fetched is still lacking, so it is tried again after the next refresh or event of the feed.
      .catch(error => {
        if (!(error instanceof SourceFailure)) this.#options.onBug(error)
      })
      .finally(end)
  }
}

/** Whether `one` is a later state of the same candle in the same scale. */
const isLaterState = (one: Candle, other: Candle): boolean =>
  one.timestamp === other.timestamp && one.open === other.open && isEarlier(other, one)
