import type { Candle } from '../candles/candle.js'
import { Series } from '../candles/series.js'
import type { Market } from '../contract/market.js'
import type { Source } from '../exchanges/source.js'
import { type Archive, maxKeyLength } from './archive.js'
import { type CacheEntry, clockSkewOf, createEntry } from './cache-entry.js'
import type { Counters } from './counters.js'

interface Options {
  readonly archive: Archive | undefined
  readonly counters: Pick<Counters, 'writes' | 'failures'>
  /** Called when the archive cannot be read or written. */
  readonly onFailure: (error: unknown) => void
  /** Unix seconds. */
  readonly clock: () => number
}

/**
 * Keeps series in memory and in the archive the same. An archive that fails is reported, and the series goes on in
 * memory.
 */
export class SeriesArchive {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /** The archive of a series, or undefined where it has none. */
  #archiveOf(key: string, { isComputed }: Source): Archive | undefined {
    return isComputed || key.length > maxKeyLength ? undefined : this.#options.archive
  }

  /**
   * Has the archived candles of a series be in memory; undefined where they are, or where it has none. Never rejects: a
   * series that cannot be read now is as one that is not archived.
   */
  prepare(key: string, source: Source): Promise<void> | undefined {
    return this.#archiveOf(key, source)
      ?.prepare(key)
      ?.catch(() => this.#options.counters.failures.add())
  }

  /** The series as it is archived, if it is; it is to be refreshed before it is read. */
  open(key: string, market: Market, source: Source): CacheEntry | undefined {
    const archive = this.#archiveOf(key, source)
    if (!archive) return undefined
    return this.#attempt(() => {
      const stored = archive.read(key)
      if (!stored) return undefined
      const { columns, closed, isIncomplete } = stored
      const series = Series.over(market.timeframe, archive.depth(key), columns, closed)
      const archived = { isIncomplete, isDeepening: false }
      const lastFetchAt = Number.NEGATIVE_INFINITY
      const entry = createEntry({ key, market, source, series, archived, lastFetchAt })
      entry.clockSkewSeconds = clockSkewOf(series, this.#options.clock())
      return entry
    })
  }

  /** An entry without candles, for a series that is fetched for the first time; it has at least `minDepth` candles. */
  createEmpty(
    key: string,
    market: Market,
    source: Source,
    { minDepth, now }: { readonly minDepth: number; readonly now: number },
  ): CacheEntry {
    const archive = this.#archiveOf(key, source)
    const depth = (archive && this.#attempt(() => archive.depth(key))) ?? minDepth
    const archived = archive && { isIncomplete: false, isDeepening: false }
    const series = new Series(market.timeframe, depth)
    return createEntry({ key, market, source, series, archived, lastFetchAt: now })
  }

  /**
   * Adds candles of a first fetch, which asked at `now` for the whole depth of the series, to a series and its archive:
   * all of them, or the next ones in their order.
   */
  mergeFirst({ key, archived, series }: CacheEntry, candles: readonly Candle[], now: number): void {
    const closed = series.merge(candles, now)
    if (archived) this.#write(archive => archive.write(key, closed, series.depth))
  }

  /**
   * Adds candles to a series, and those that are closed by `now` (Unix seconds) to the archive, before a reader can see
   * them.
   */
  merge(entry: CacheEntry, candles: readonly Candle[], now: number): void {
    const closed = entry.series.merge(candles, now)
    if (entry.archived && closed.length > 0) this.#write(archive => archive.enqueue(entry.key, closed))
  }

  /** Adds all candles of a series, asked for at `now`, also to those of its archive; both are the same then. */
  mergeAll(entry: CacheEntry, candles: readonly Candle[], now: number): void {
    const { series, closed } = this.#seriesOf(entry, candles, now)
    if (entry.archived) this.#write(archive => archive.write(entry.key, closed, series.depth))
    if (this.#reload(entry)) entry.series.merge(candles.slice(-1), now)
    else entry.series = series
    if (entry.archived) entry.archived.isIncomplete = false
  }

  /** Replaces a series by these candles, which were asked for at `now`, in the archive too. */
  replace(entry: CacheEntry, candles: readonly Candle[], now: number): void {
    const { series, closed } = this.#seriesOf(entry, candles, now)
    if (entry.archived) this.#write(archive => archive.replace(entry.key, closed, series.depth))
    entry.series = series
    if (entry.archived) entry.archived.isIncomplete = false
  }

  #seriesOf(entry: CacheEntry, candles: readonly Candle[], now: number) {
    const series = new Series(entry.market.timeframe, entry.series.depth)
    return { series, closed: series.merge(candles, now) }
  }

  /** Whether the exchange was asked for all candles that the series may have. */
  isWholeDepthRequested({ key, series }: CacheEntry): boolean {
    const { archive } = this.#options
    const requested = archive && this.#attempt(() => archive.requestedDepth(key))
    return (requested ?? series.depth) >= series.depth
  }

  /** Reads what another process has written to the same series. */
  catchUp(entry: CacheEntry): void {
    const { archive } = this.#options
    if (entry.archived && archive && this.#attempt(() => archive.isChanged(entry.key))) this.#reload(entry)
  }

  /** Reads the closed candles of a series from the archive again. */
  #reload(entry: CacheEntry): boolean {
    const { archived, key, market } = entry
    const { archive } = this.#options
    if (!archived || !archive) return false
    const isReloaded = this.#attempt(() => {
      const stored = archive.read(key)
      if (!stored) return false
      const { unproven } = entry.series
      const { forming } = entry.series.snapshot()
      entry.series = Series.over(market.timeframe, archive.depth(key), stored.columns, stored.closed)
      archived.isIncomplete ||= stored.isIncomplete
      const isNewer = (candle: Candle) => candle.timestamp > (entry.series.newestClosed ?? 0)
      if (unproven && isNewer(unproven)) entry.series.merge([unproven], Number.POSITIVE_INFINITY)
      if (forming && isNewer(forming)) entry.series.amend(forming)
      return true
    })
    return isReloaded ?? false
  }

  #write(write: (archive: Archive) => void): void {
    const { archive } = this.#options
    if (!archive) return
    this.#attempt(() => {
      write(archive)
      this.#options.counters.writes.add()
    })
  }

  /** The result of working with the archive, or undefined where it failed. */
  #attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      this.#options.counters.failures.add()
      this.#options.onFailure(error)
      return undefined
    }
  }
}
