import type { Candle } from '../../candles/candle.js'
import { candlesSince, type Snapshot } from '../../candles/columns.js'
import type { Factors } from '../../candles/rescale.js'
import { Series } from '../../candles/series.js'
import type { Market } from '../../contract/market.js'
import { finish, finishInSlices, pieceLength, piecesOf, type Resumable } from '../../runtime/scheduler.js'
import { type Archive, loadedDepth, maxKeyLength } from '../archive/archive.js'
import { cutInSteps } from '../archive/chunk-codec.js'
import type { Source } from '../exchanges/source.js'
import { backfill } from './backfill.js'
import { type ArchivedState, type CacheEntry, clockSkewOf, createEntry } from './cache-entry.js'
import type { Counters } from './candle-fetcher.js'

/** All candles that an exchange has of a series. */
interface WholeSeries {
  readonly series: Series
  readonly closed: readonly Candle[]
  /** Known candles of the series before this was prepared. */
  readonly before: Snapshot
}

interface Options {
  readonly archive: Archive | undefined
  readonly counters: Pick<Counters, 'writes' | 'failures'>
  /** Called when the archive cannot be read or written. */
  readonly onFailure: (error: unknown) => void
  /** Unix seconds. */
  readonly clock: () => number
}

/**
 * Keeps series in memory and in the archive the same. A failure of the archive is reported, and the series
 * continues in memory.
 */
export class SeriesArchive {
  constructor(private readonly options: Options) {}

  #archiveOf(key: string, { isComputed }: Source): Archive | undefined {
    return isComputed || key.length > maxKeyLength ? undefined : this.options.archive
  }

  /**
   * Loads the archived candles of a series into memory. Returns undefined if they already are in memory, or if the
   * series is not archived. Never rejects: a series that cannot be read now counts as not archived.
   */
  prepare(key: string, source: Source): Promise<void> | undefined {
    return this.#archiveOf(key, source)
      ?.prepare(key)
      ?.catch(() => this.options.counters.failures.add())
  }

  /** Archived series, if there is one. It must be refreshed before it is read. */
  open(key: string, market: Market, source: Source): CacheEntry | undefined {
    const archive = this.#archiveOf(key, source)
    if (!archive) return undefined
    return this.#attempt(() => {
      const stored = archive.load(key)
      if (!stored) return undefined
      const { columns, closed, isIncomplete } = stored
      const series = Series.over(market.timeframe, loadedDepth(archive.info(key).depth), columns, closed)
      const archived: ArchivedState = { isIncomplete, isFilling: false, mayHaveHole: true }
      const lastFetchAt = Number.NEGATIVE_INFINITY
      const entry = createEntry({ key, market, source, series, archived, lastFetchAt })
      entry.clockSkewSeconds = clockSkewOf(series, this.options.clock())
      // A process that has ended may have left a part unscaled.
      void finishInSlices('archive', this.adjustSplit(entry))
      return entry
    })
  }

  /** Entry without candles, for a first fetch of at least `minDepth` candles. */
  createEmpty(
    key: string,
    market: Market,
    source: Source,
    { minDepth, now }: { readonly minDepth: number; readonly now: number },
  ): CacheEntry {
    const archive = this.#archiveOf(key, source)
    const depth = (archive && this.#attempt(() => loadedDepth(archive.info(key).depth))) ?? minDepth
    const archived = archive && { isIncomplete: false, isFilling: false, mayHaveHole: false }
    const series = new Series(market.timeframe, depth)
    return createEntry({ key, market, source, series, archived, lastFetchAt: now })
  }

  /**
   * Adds candles of a first fetch to a series and its archive: all of them, or the next ones in order. The fetch
   * requested the whole depth of the series at `now`.
   */
  mergeFirst(entry: CacheEntry, candles: readonly Candle[], now: number): void {
    const { key, series } = entry
    const closed = series.merge(candles, now)
    this.#store(entry, 'write', archive => archive.write(key, closed, series.depth))
  }

  /** Adds candles to a series. Candles closed by `now` (Unix seconds) are archived before a reader can see them. */
  merge(entry: CacheEntry, candles: readonly Candle[], now: number): void {
    const closed = entry.series.merge(candles, now)
    if (closed.length > 0) this.#store(entry, 'write', archive => archive.enqueue(entry.key, closed))
  }

  *#prepareWhole(
    { market, series }: CacheEntry,
    candles: readonly Candle[],
    now: number,
  ): Resumable<WholeSeries> {
    const whole = new Series(market.timeframe, series.depth)
    const before = series.snapshot()
    const closed: Candle[] = []
    for (const piece of piecesOf(candles)) {
      if (whole.count > 0) yield
      for (const candle of whole.merge(piece, now)) closed.push(candle)
    }
    yield
    // The archive drops the same candles as a series of this depth.
    const oldest = whole.snapshot().columns.timestamp[0] ?? 0
    return { series: whole, closed: closed.filter(({ timestamp }) => timestamp >= oldest), before }
  }

  /**
   * Adds all candles of a series, ascending and requested at `now`, to memory and to the archive; both are the same
   * afterwards.
   */
  *mergeAll(entry: CacheEntry, candles: readonly Candle[], now: number): Resumable {
    const { archived, key } = entry
    const whole = yield* this.#prepareWhole(entry, candles, now)
    const { series, closed } = whole
    if (archived && this.#isSplitPending(key)) yield* this.adjustSplit(entry)
    let isWritten = archived !== undefined && !archived.unwritten
    // From the newest back, so that an interruption leaves no hole in the archive.
    for (const piece of [...piecesOf(closed)].reverse()) {
      if (!isWritten) break
      if (piece.at(-1) !== closed.at(-1)) yield
      const depth = piece[0] === closed[0] ? series.depth : 0
      isWritten = this.#write(archive => archive.write(key, piece, depth))
    }
    if (isWritten && this.reload(entry)) entry.series.merge(candles.slice(-1), now)
    else this.#take(entry, whole)
    if (!archived) return
    if (!isWritten) archived.unwritten ??= 'write'
    archived.isIncomplete = false
  }

  /** Replaces a series by all its candles, ascending and requested at `now`, in the archive too. */
  *replaceAll(entry: CacheEntry, candles: readonly Candle[], now: number, scale?: Factors): Resumable {
    const { archived, key } = entry
    const whole = yield* this.#prepareWhole(entry, candles, now)
    const { series, closed } = whole
    const chunks = archived ? yield* cutInSteps(key, closed) : []
    if (archived) {
      archived.unwritten = undefined
      archived.unwrittenScale = scale
      archived.maySplitBePending ||= scale !== undefined
    }
    // An earlier scale is written first, in slices. Both at once would block for a time proportional to the number
    // of candles.
    const isWaiting = archived !== undefined && scale !== undefined && this.#isSplitPending(key)
    if (isWaiting) archived.unwritten = 'replace'
    else
      this.#store(entry, 'replace', archive =>
        archive.replace(key, closed, { requestedDepth: series.depth, chunks, ...(scale && { scale }) }),
      )
    this.#take(entry, whole)
    if (isWaiting) this.#rewrite(entry)
    if (!archived) return
    archived.isIncomplete = false
    archived.mayHaveHole = scale === undefined
  }

  /**
   * Writes candles of a series to its archive, if it has one. After a failure, the next write stores all candles in
   * memory instead, in the way of `whole`.
   */
  #store(entry: CacheEntry, whole: 'write' | 'replace', write: (archive: Archive) => void): void {
    const { archived } = entry
    if (!archived) return
    if (archived.unwritten) {
      this.#rewrite(entry)
      return
    }
    const isWritten = this.#write(write)
    archived.unwritten = isWritten ? undefined : whole
    if (isWritten && archived.maySplitBePending) void finishInSlices('archive', this.adjustSplit(entry))
  }

  #rewrite(entry: CacheEntry): void {
    const { archived } = entry
    if (!archived || archived.isRewriting) return
    const isShort = entry.series.count <= pieceLength && !this.#isSplitPending(entry.key)
    archived.isRewriting = true
    const rewriting = this.#rewriting(entry)
    if (isShort) finish(rewriting)
    else void finishInSlices('archive', rewriting)
  }

  /**
   * Writes all candles in memory to the archive after a failed write, including candles that close during this. If it
   * fails again, it restarts with the next write of the series.
   */
  *#rewriting(entry: CacheEntry): Resumable {
    const { archived } = entry
    try {
      while (archived?.unwritten) if (!(yield* this.#writeWhole(entry))) return
    } finally {
      if (archived) archived.isRewriting = false
    }
    if (archived?.maySplitBePending) void finishInSlices('archive', this.adjustSplit(entry))
  }

  /** Writes all candles in memory, unless they change during this. Returns whether nothing has failed. */
  *#writeWhole(entry: CacheEntry): Resumable<boolean> {
    const { archive } = this.options
    const { archived, key } = entry
    if (!archived || !archive) return false
    const { unwritten, unwrittenScale: scale } = archived
    if (this.#isSplitPending(key)) yield* this.adjustSplit(entry)
    const { series } = entry
    const { columns, closed } = series.snapshot()
    const isSame = () => {
      const now = series.snapshot()
      const isSameSeries = entry.series === series && archived.unwritten === unwritten
      return isSameSeries && now.columns === columns && now.closed === closed
    }
    const candles = provenOf(series)
    const isReplaced = unwritten === 'replace'
    const chunks = isReplaced ? yield* cutInSteps(key, candles) : []
    // From the newest back, so that an interruption leaves no hole in the archive.
    const pieces = isReplaced ? [candles] : [...piecesOf(candles)].reverse()
    for (const piece of pieces) {
      if (piece !== pieces[0]) yield
      if (!isSame()) return true
      if (this.#isSplitPending(key)) return false
      const isWritten = this.#write(() => {
        if (isReplaced) archive.replace(key, piece, { chunks, ...(scale && { scale }) })
        else archive.write(key, piece)
      })
      if (!isWritten) return false
    }
    archived.unwritten = undefined
    archived.maySplitBePending ||= isReplaced && scale !== undefined
    return true
  }

  /** Whether archived candles of a series are still to be brought to the scale of newer ones. */
  #isSplitPending(key: string): boolean {
    const { archive } = this.options
    return this.#attempt(() => archive?.info(key).isSplitPending) ?? false
  }

  /**
   * Brings archived candles outside of memory to the scale of the newer ones, if theirs differs. After a failure,
   * this continues with the next write of the series.
   */
  *adjustSplit({ key, archived }: Pick<CacheEntry, 'key' | 'archived'>): Resumable {
    const { archive } = this.options
    if (!archived || !archive) return
    archived.maySplitBePending = false
    const steps = archive.adjustSplit(key)
    for (;;) {
      const step = this.#attempt(() => steps.next())
      if (!step) archived.maySplitBePending = true
      if (!step || step.done) return
      yield
    }
  }

  /** Replaces the series in memory by a prepared one, with the candles that a feed has shown since the preparation began. */
  #take(entry: CacheEntry, { series, before }: WholeSeries): void {
    const known = entry.series.snapshot()
    entry.series = series
    if (known === before) return
    const last = series.newest ?? 0
    // The forming candle of the answer has its last state here, if there is a newer candle.
    const shown = candlesSince(known, last)
    const newest = shown.at(-1)?.timestamp ?? last
    if (newest > last) this.merge(entry, shown, newest)
  }

  /**
   * Fetches the candles that the archive lacks between others, and older ones if the series in memory is shorter than
   * its depth. Candles that the exchange lacks are requested once. Rejects with a SourceFailure; candles fetched until
   * then stay.
   */
  async fillHoles(entry: CacheEntry): Promise<void> {
    const { archive, clock } = this.options
    const { archived, key, market, source, series } = entry
    const info = archived && archive && this.#attempt(() => archive.info(key))
    if (!info) return
    const hasHole = info.wholeFrom > Number.NEGATIVE_INFINITY
    const isShort = series.count < series.depth && info.requestedDepth < series.depth
    if (!hasHole && !isShort) return
    const depth = hasHole ? Math.max(info.depth, info.requestedDepth) : series.depth
    let fetched = 0
    try {
      for await (const progress of backfill({ archive, source, market, depth, clock, isOnDemand: true }))
        fetched = progress.fetched
    } finally {
      if (fetched > 0) this.reload(entry)
    }
  }

  /** Reads candles of the same series that another process has written. */
  catchUp(entry: CacheEntry): void {
    const { archive } = this.options
    const { archived, key } = entry
    if (!archived || archived.unwritten || !archive) return
    if (this.#attempt(() => archive.isChanged(key))) this.reload(entry)
  }

  /** Reads the closed candles of a series from the archive again. Returns whether this was possible. */
  reload(entry: CacheEntry): boolean {
    const { archived, key, market } = entry
    const { archive } = this.options
    if (!archived || !archive) return false
    // The process that has changed the series may not have finished.
    archived.maySplitBePending = true
    const isReloaded = this.#attempt(() => {
      const stored = archive.load(key)
      if (!stored) return false
      const { unproven } = entry.series
      const { forming } = entry.series.snapshot()
      const { columns, closed } = stored
      entry.series = Series.over(market.timeframe, loadedDepth(archive.info(key).depth), columns, closed)
      archived.isIncomplete ||= stored.isIncomplete
      archived.mayHaveHole = true
      const isNewer = (candle: Candle) => candle.timestamp > (entry.series.newestClosed ?? 0)
      if (unproven && isNewer(unproven)) entry.series.merge([unproven], Number.POSITIVE_INFINITY)
      if (forming && isNewer(forming)) entry.series.amend(forming)
      return true
    })
    return isReloaded ?? false
  }

  #write(write: (archive: Archive) => void): boolean {
    const { archive } = this.options
    const isWritten =
      archive &&
      this.#attempt(() => {
        write(archive)
        this.options.counters.writes.add()
        return true
      })
    return isWritten ?? false
  }

  /** Result of working with the archive, or undefined after a failure. */
  #attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      this.options.counters.failures.add()
      this.options.onFailure(error)
      return undefined
    }
  }
}

/** Closed candles of a series whose end the exchange has shown. */
function provenOf(series: Series): readonly Candle[] {
  const { columns, closed } = series.snapshot()
  const count = series.unproven ? closed - 1 : closed
  return Array.from({ length: count }, (_, at) => columns.read(at))
}
