import { type Candle, inOrder } from '../../candles/candle.js'
import type { CandleBlock } from '../../candles/columns.js'
import { mostWithDepth } from '../../candles/series.js'
import type { Journal, KeyValueStore } from '../../contract/storage/stores.js'
import type { AgeClock } from '../../runtime/age-clock.js'
import type { Resumable } from '../../runtime/scheduler.js'
import { chunkRange, correctionRange, headKey, headRange, seriesOfHead, timeOfChunk } from './archive-keys.js'
import { type ChunkChange, CorruptChunk } from './chunk-codec.js'
import {
  firstOf,
  mergeIntoChunks,
  type Replacement,
  removeFrom,
  replaceCandles,
  type SeriesChange,
} from './chunk-merge.js'
import { candlesAsOf } from './corrections.js'
import {
  decodeHead,
  emptyHead,
  readUsage,
  type SeriesHead,
  type SeriesInfo,
  type SeriesUsage,
} from './series-head.js'
import { SeriesTransactions, type SeriesWork } from './series-transactions.js'
import { type ArchivedCandles, adjustNext, oldestOf, readBlocks, readNewest } from './stored-candles.js'
import { type QueuedSeries, WriteQueue } from './write-queue.js'

/** Longest key of a series, in UTF-16 units: ten times the length of real keys. */
export const maxKeyLength = 200

/** Maximum number of stored candles of one series. */
export const maxDepth = 10_000_000
/** Maximum number of candles of one series in memory. */
const maxLoaded = 50_000

/** Minimum number of the newest candles of a series in memory, of which `depth` are stored. */
export const loadedDepth = (depth: number): number => Math.min(maxLoaded, depth)

interface Options {
  /** Stored candles per series. More than a quarter above this number, the oldest are dropped. */
  readonly depth: number
  /** Days for which replaced states of closed candles are stored, for `asOf`. 0 or undefined stores none. */
  readonly correctionsDays?: number
  /** Called with the key of a series and the reason if candles cannot be read. They are dropped, and fetched again. */
  readonly onCorrupt?: (key: string, reason: string) => void
  /** Makes `enqueue` cheap. Without it everything is written immediately. */
  readonly journal?: Journal
  /** Called if candles of a series could not be written or journalled. Both are retried. */
  readonly onFailure?: (error: unknown, key?: string) => void
  readonly clock?: () => number
  /** Clock that decides which corrections are too old to keep. Without it all are kept. */
  readonly ages?: Pick<AgeClock, 'before'>
}

/**
 * Closed candles of every series, on disk. A series has checksummed chunks and a head with their extent. Every
 * change of a series is one transaction. Keys are `exchange:SYMBOL:timeframe`. Several processes may write at the
 * same time.
 */
export class Archive {
  readonly #chunks: KeyValueStore
  readonly #depth: number
  /** 0 if corrections are not stored. */
  readonly #correctionsDays: number
  readonly #onCorrupt: (key: string, reason: string) => void
  readonly #clock: () => number
  /** Undefined if everything is written immediately. */
  readonly #queue: WriteQueue | undefined
  readonly #writer: SeriesTransactions

  constructor(chunks: KeyValueStore, options: Options) {
    this.#chunks = chunks
    this.#depth = options.depth
    this.#onCorrupt = options.onCorrupt ?? (() => {})
    this.#clock = options.clock ?? (() => Date.now() / 1000)
    const { journal, onFailure = () => {} } = options
    const write = (series: readonly QueuedSeries[]) => this.#writeQueued(series)
    this.#queue = journal && new WriteQueue({ clock: this.#clock, write, journal, onFailure })
    this.#correctionsDays = chunks.prepare ? 0 : (options.correctionsDays ?? 0)
    this.#writer = new SeriesTransactions({
      chunks,
      correctionsDays: this.#correctionsDays,
      clock: this.#clock,
      ages: options.ages,
    })
  }

  /**
   * Loads a series into memory, so that it can be read. Returns undefined if the series is already in memory, or if
   * its store needs no loading. Rejects with a StoreFailure; then the series counts as not stored until it can be
   * read.
   */
  prepare(key: string): Promise<void> | undefined {
    return this.#chunks.prepare?.(headKey(key))
  }

  /** Loads into memory what `usage` reads. Rejects with a StoreFailure. */
  async prepareList(): Promise<void> {
    await this.#chunks.prepareHeads?.()
  }

  /**
   * Newest `count` candles of a series, or all; undefined if it has none. An unreadable chunk is reported and
   * dropped, and the result has nothing older than this chunk.
   */
  read(key: string, count = Number.POSITIVE_INFINITY): ArchivedCandles | undefined {
    this.#writeQueuedOf(key)
    this.#writer.forget(key)
    const report = (chunk: string, error: unknown) => this.#reportCorrupt(key, chunk, error)
    // Read first, so that a change during the read is noticed.
    let head = this.#head(key)
    const { columns, closed, unreadable } = readNewest(this.#chunks, key, head, count, report)
    if (unreadable.length > 0) {
      this.#writer.drop(key, unreadable)
      head = this.#head(key)
    }
    if (closed === 0) return undefined
    this.#writer.remember(key, head.revision)
    const isWhole = closed === count && (columns.timestamp[0] as number) >= head.wholeFrom
    const isIncomplete = head.isIncomplete && !isWhole
    return { columns, closed, isIncomplete }
  }

  /** Candles of a series for memory: all, or the newest ones. */
  load(key: string): ArchivedCandles | undefined {
    const { depth } = this.info(key)
    return this.read(key, depth > maxLoaded ? maxLoaded : mostWithDepth(depth))
  }

  /**
   * Candles that open from `from` to `to`, both included, in the order of time and in blocks of a few thousand.
   * Same as `readBlocks`, including queued candles.
   */
  blocks(key: string, from?: number, to?: number): Generator<CandleBlock> {
    this.#writeQueuedOf(key)
    return readBlocks(this.#chunks, key, from, to)
  }

  /** Open time of the oldest of the newest `count` candles; see `oldestOf`. */
  oldestOf(key: string, count: number): number | undefined {
    this.#writeQueuedOf(key)
    return oldestOf(this.#chunks, key, count)
  }

  /**
   * Adds closed candles: appends newer ones, replaces those of a known time, inserts older ones. Candles beyond the
   * depth are dropped. The candles survive a crash when this returns. If they are all that the exchange has,
   * `requestedDepth` is the number that was requested. Throws an error if they open before the end of candles that
   * are still to be scaled: call `adjustSplit` first.
   */
  write(key: string, candles: readonly Candle[], requestedDepth = 0): void {
    this.#writeQueuedOf(key)
    const fresh = inOrder(candles)
    if (fresh.length === 0) return
    const { timestamp } = fresh[0] as Candle
    this.#change(key, (head, storedIsNewer) => {
      const deepest = Math.max(head.requestedDepth, requestedDepth)
      const depth = Math.max(this.#depth, head.depth)
      const wholeFrom = requestedDepth > 0 ? Math.min(head.wholeFrom, timestamp) : head.wholeFrom
      const isWhole = requestedDepth > 0 && (requestedDepth >= depth || wholeFrom <= head.first)
      const whole = isWhole ? { isIncomplete: false, wholeFrom: Number.NEGATIVE_INFINITY } : { wholeFrom }
      return this.#merge(key, { ...head, requestedDepth: deepest, ...whole }, fresh, storedIsNewer)
    })
  }

  /**
   * Adds closed candles as `write` does, at a thousandth of its cost. They survive the end of the process at any
   * time, but a power failure only after a batched write a second later. A failed write is retried. Throws a
   * StoreFailure if earlier candles of the series were given up, because these would leave a hole.
   */
  enqueue(key: string, candles: readonly Candle[]): void {
    if (this.#queue) this.#queue.add(key, candles)
    else this.write(key, candles)
  }

  /** Writes the queue immediately. Candles that cannot be written stay queued, and the first error is thrown. */
  flush(): void {
    this.#queue?.flush()
  }

  /** Writes the queue. Candles enqueued later, by a late fetch, stay in the journal for the next start. */
  close(): void {
    this.#queue?.close()
  }

  /** Writes the queued candles of processes that ended before their write. */
  recover(): void {
    this.#queue?.recover((key, candles) => {
      const { count, first } = this.#head(key)
      // Candles that were dropped after they were queued stay dropped.
      return count === 0 ? candles : candles.filter(({ timestamp }) => timestamp >= first)
    })
  }

  /**
   * Replaces the candles of a series by closed ones. If the series has more candles than memory holds, replaces
   * only from the oldest given candle on. Older candles are multiplied by `scale`; without a scale they stay,
   * followed by a hole. With a scale, throws an error if candles are still to be brought to an earlier scale: call
   * `adjustSplit` first.
   */
  replace(key: string, candles: readonly Candle[], replacement: Replacement = {}): void {
    this.#writeQueuedOf(key)
    const list = inOrder(candles)
    this.#change(key, (head, storedIsNewer) => {
      // The head of a series stores a single scale.
      if (replacement.scale) checkAdjusted(key, head, Number.NEGATIVE_INFINITY)
      // Another process has newer candles, which would be lost.
      if (storedIsNewer && head.last > (list.at(-1)?.timestamp ?? 0)) return { changes: [], head }
      const isDeep = Math.max(this.#depth, head.depth) > maxLoaded
      return replaceCandles(this.#chunks, { key, head, isDeep }, list, replacement)
    })
  }

  /**
   * Brings the candles that open from a time on to the scale of newer ones. Each step writes one chunk in one
   * transaction, from the newest back. Required by `write` for the candles that it changes, and by `replace` with a
   * scale for all.
   */
  *adjustSplit(key: string, from = Number.NEGATIVE_INFINITY): Resumable {
    while (this.#head(key).scaledFrom > from) {
      this.#change(key, head => adjustNext(this.#chunks, key, head))
      yield
    }
  }

  /** Keys of the series that start with `prefix`, in their order. */
  async keys(prefix: string): Promise<readonly string[]> {
    await this.prepareList()
    const heads = [...this.#chunks.keys(headKey(prefix), headRange[1])]
    return heads.filter(each => each.startsWith(headKey(prefix))).map(seriesOfHead)
  }

  /** Facts of a series that need no read of its candles; `count` is 0 if it has none. */
  info(key: string): SeriesInfo {
    this.#writeQueuedOf(key)
    const head = this.#head(key)
    const depth = Math.max(this.#depth, head.depth)
    return { ...head, depth, isSplitPending: head.scaledFrom > Number.NEGATIVE_INFINITY }
  }

  /** Disk usage of `count` series after `previous`, in the order of their keys. */
  usage(count: number, previous?: string): readonly SeriesUsage[] {
    return readUsage(this.#chunks, count, previous)
  }

  /**
   * Raises the minimum number of stored candles of a series, counted from the newest, up to `maxDepth`. A lower
   * depth than the present one changes nothing.
   */
  setDepth(key: string, depth: number): void {
    this.#change(key, head => ({
      changes: [],
      head: { ...head, depth: Math.min(maxDepth, Math.max(head.depth, depth)) },
    }))
  }

  /** Marks the candles of a series as made of shorter ones, and raises its minimum number of stored candles. */
  setDerived(key: string, depth: number): void {
    this.#change(key, head => ({
      changes: [],
      head: { ...head, isDerived: true, depth: Math.max(head.depth, depth) },
    }))
  }

  /**
   * Returns the candles of a series that had other values at a time (Unix seconds), by open time; undefined for a candle
   * that was not stored then. If corrections are not recorded back to `time`, returns the first time for which they are
   * recorded: Infinity if corrections are not stored or cannot be read.
   */
  asOf(key: string, time: number): ReadonlyMap<number, Candle | undefined> | number {
    this.#writeQueuedOf(key)
    if (this.#correctionsDays === 0) return Number.POSITIVE_INFINITY
    const { knownSince } = this.#head(key)
    return time < knownSince ? knownSince : (candlesAsOf(this.#chunks, key, time) ?? Number.POSITIVE_INFINITY)
  }

  /** Whether another process has changed a series since this process read it. */
  isChanged(key: string): boolean {
    return !this.#writer.isKnown(key, this.#head(key).revision)
  }

  /** Removes a series and its depth setting. */
  remove(key: string): void {
    this.#writeQueuedOf(key)
    this.#chunks.write(() => [
      [headKey(key), undefined],
      ...removeFrom(this.#chunks, key, Number.NEGATIVE_INFINITY).changes,
      ...[...this.#chunks.keys(...correctionRange(key))].map((name): ChunkChange => [name, undefined]),
    ])
    this.#writer.forget(key)
  }

  /** Head of a series. A lost head is rebuilt from the chunks. */
  #head(key: string): SeriesHead {
    const bytes = this.#chunks.get(headKey(key))
    const head = decodeHead(bytes)
    if (head) return head
    if (!bytes && firstOf(this.#chunks.keys(...chunkRange(key))) === undefined) return emptyHead
    this.#onCorrupt(key, 'its head was written again, and a depth that was set for it is lost')
    this.#writer.drop(key, [])
    return decodeHead(this.#chunks.get(headKey(key))) ?? emptyHead
  }

  /** Writes the queued candles of one series, so that they can be read. */
  #writeQueuedOf(key: string): void {
    this.#queue?.write(key)
  }

  /** Writes the queued candles of some series: in one transaction, or one by one if a write needs no disk time. */
  #writeQueued(series: readonly QueuedSeries[]): void {
    for (const batch of this.#chunks.prepare ? series.map(each => [each]) : [series]) {
      for (const { key } of batch) this.#head(key)
      this.#writer.change(
        batch.map(each => [each.key, (head, storedIsNewer) => this.#mergeQueued(each, head, storedIsNewer)]),
      )
    }
  }

  #change(key: string, work: SeriesWork): void {
    this.#head(key)
    this.#writer.change([[key, work]])
  }

  #mergeQueued(queued: QueuedSeries, head: SeriesHead, storedIsNewer: boolean | undefined): SeriesChange {
    const { key, candles, superseded } = queued
    const change = this.#merge(key, head, candles, storedIsNewer, candle => queued.arrivalOf(candle))
    return { ...change, corrections: [...(change.corrections ?? []), ...superseded] }
  }

  #merge(
    key: string,
    head: SeriesHead,
    fresh: readonly Candle[],
    storedIsNewer = false,
    arrivedAt: (candle: Candle) => number = () => this.#clock(),
  ): SeriesChange {
    // Candles of one chunk have one scale.
    checkAdjusted(key, head, (fresh[0] as Candle).timestamp)
    return mergeIntoChunks({
      arrivedAt,
      storedIsNewer,
      chunks: this.#chunks,
      key,
      head,
      fresh,
      // Candles fetched for a query about a time stay, too.
      depth: Math.max(this.#depth, head.depth, head.requestedDepth),
      onUnreadable: (chunk, error) => this.#reportCorrupt(key, chunk, error),
    })
  }

  #reportCorrupt(key: string, chunk: string, error: unknown): void {
    if (!(error instanceof CorruptChunk)) throw error
    const from = new Date(timeOfChunk(chunk) * 1000).toISOString()
    this.#onCorrupt(key, `its chunk from ${from} on was dropped: ${error.message}`)
  }
}

/** Throws an error if candles that open from a time on are still to be brought to the scale of newer ones. */
function checkAdjusted(key: string, head: SeriesHead, from: number): void {
  if (head.scaledFrom > from) throw new Error(`Candles of ${key} are still to be scaled`)
}
