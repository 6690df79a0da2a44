import { type Candle, inOrder } from '../../candles/candle.js'
import { mostWithDepth } from '../../candles/series.js'
import type { Journal, KeyValueStore } from '../../contract/storage/stores.js'
import type { AgeClock } from '../../runtime/age-clock.js'
import type { Resumable } from '../../runtime/scheduler.js'
import { chunkRange, correctionRange, headKey, headRange, seriesOfHead, timeOfChunk } from './archive-keys.js'
import { type ChunkChange, CorruptChunk, cutInSteps } from './chunk-codec.js'
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
import {
  type ArchivedCandles,
  type Block,
  openBefore,
  readBlocks,
  readNewest,
  scaleNext,
} from './stored-candles.js'
import { WriteQueue } from './write-queue.js'

/** The longest key of a series, in UTF-16 units: ten times what an exchange has. */
export const maxKeyLength = 200

/** The most candles that are stored of one series. */
export const maxDepth = 10_000_000
/** The most candles of one series that memory holds. */
export const maxLoaded = 50_000

interface Options {
  /** Candles stored of every series; beyond a quarter more than that the oldest are dropped. */
  readonly depth: number
  /** For so many days what is replaced of closed candles is stored, for `asOf`; 0 or nothing for none. */
  readonly correctionsDays?: number
  /** Called with the key of a series and the reason, when candles cannot be read. They are dropped, to be fetched again. */
  readonly onCorrupt?: (key: string, reason: string) => void
  /** Makes `enqueue` cheap; without it everything is written at once. */
  readonly journal?: Journal
  /** Called when candles of a series could not be written, or not be journalled; it is tried again. */
  readonly onFailure?: (error: unknown, key?: string) => void
  /** Unix seconds. */
  readonly clock?: () => number
  /** Clock that decides which corrections are too old to keep. Without it all are kept. */
  readonly ages?: Pick<AgeClock, 'before'>
}

/**
 * The closed candles of every series, on the disk. A series is a row of checksummed chunks and a head that says how
 * much there is; every change of a series is one transaction. Keys are `exchange:SYMBOL:timeframe`. Several processes
 * may write at the same time.
 */
export class Archive {
  readonly #chunks: KeyValueStore
  readonly #depth: number
  /** 0 where corrections are not stored. */
  readonly #correctionsDays: number
  readonly #onCorrupt: (key: string, reason: string) => void
  readonly #clock: () => number
  /** Undefined where everything is written at once. */
  readonly #queue: WriteQueue | undefined
  readonly #writer: SeriesTransactions

  constructor(chunks: KeyValueStore, options: Options) {
    this.#chunks = chunks
    this.#depth = options.depth
    this.#onCorrupt = options.onCorrupt ?? (() => {})
    this.#clock = options.clock ?? (() => Date.now() / 1000)
    const { journal, onFailure = () => {} } = options
    const write = (keys: readonly string[]) => this.#writeQueued(keys)
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
   * Loads a series into memory, so that it can be read; undefined where it is there, or where that is not needed. Rejects with a
   * StoreFailure; the series is as one that is not stored then, until it can be read.
   */
  prepare(key: string): Promise<void> | undefined {
    return this.#chunks.prepare?.(headKey(key))
  }

  /** Loads into memory what `list` and `usage` read. Rejects with a StoreFailure. */
  async prepareList(): Promise<void> {
    await this.#chunks.prepareHeads?.()
  }

  /**
   * The newest `count` candles of a series, or all; undefined where there are none. A chunk that cannot be read is
   * reported and dropped, and nothing older than it is answered.
   */
  read(key: string, count = Number.POSITIVE_INFINITY): ArchivedCandles | undefined {
    this.#writeQueuedOf(key)
    this.#writer.forget(key)
    const report = (chunk: string, error: unknown) => this.#reportCorrupt(key, chunk, error)
    // Before what is read, so that a change in between is noticed.
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

  /** The candles of a series that memory holds: all of them, or its newest ones. */
  load(key: string): ArchivedCandles | undefined {
    const depth = this.depth(key)
    return this.read(key, depth > maxLoaded ? maxLoaded : mostWithDepth(depth))
  }

  /**
   * The candles that open from `from` to `to`, both included, in the order of time and in blocks of a few thousand: what
   * `readBlocks` does, with what is queued.
   */
  blocks(key: string, from?: number, to?: number): Generator<Block> {
    this.#writeQueuedOf(key)
    return readBlocks(this.#chunks, key, from, to)
  }

  /** When the oldest one of the newest `count` candles opens that open before `time`; see `openBefore`. */
  openBefore(key: string, time: number, count: number): number | undefined {
    this.#writeQueuedOf(key)
    return openBefore(this.#chunks, key, time, count)
  }

  /**
   * Adds closed candles: newer ones are appended, those of a known time replace it, older ones are inserted. What lies
   * beyond the depth is dropped. The candles survive a crash when this returns. Where they are everything that the
   * exchange has, `requestedDepth` says how many it was asked for. Throws an error where they open before candles that are
   * still to be scaled end: `scale` comes first.
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
   * Adds closed candles as `write` does, for a thousandth of its cost: they survive the end of the process at any time,
   * but a loss of power only once they were written with others a second later. What cannot be written then is tried
   * again. Throws a StoreFailure where earlier candles of the series were given up, so that these would leave a hole.
   */
  enqueue(key: string, candles: readonly Candle[]): void {
    if (this.#queue) this.#queue.add(key, candles)
    else this.write(key, candles)
  }

  /** Writes what is queued, at once. What cannot be written stays queued, and the first reason is thrown. */
  flush(): void {
    this.#queue?.flush()
  }

  /** Writes what is queued. Candles that are enqueued later, by a fetch that ends late, stay in the journal for the next start. */
  close(): void {
    this.#queue?.close()
  }

  /** Writes what processes had queued that ended before they wrote it. */
  recover(): void {
    this.#queue?.recover((key, candles) => {
      const { count, first } = this.#head(key)
      // Candles that have been dropped since stay dropped.
      return count === 0 ? candles : candles.filter(({ timestamp }) => timestamp >= first)
    })
  }

  /**
   * Replaces the candles of a series by these closed ones: all of them, or where it has more than memory holds, those from the
   * oldest of these on. Older ones are multiplied by the `scale`, or have a hole behind them without one. With a scale, throws an
   * error where candles are still to be brought to an earlier one: `scale` comes first.
   */
  replace(key: string, candles: readonly Candle[], replacement: Replacement = {}): void {
    this.#writeQueuedOf(key)
    const list = inOrder(candles)
    this.#change(key, (head, storedIsNewer) => {
      // Two scales cannot wait for each other.
      if (replacement.scale) checkScale(key, head, Number.NEGATIVE_INFINITY)
      // Another process has newer candles, which would be lost.
      if (storedIsNewer && head.last > (list.at(-1)?.timestamp ?? 0)) return { changes: [], head }
      const isDeep = Math.max(this.#depth, head.depth) > maxLoaded
      return replaceCandles(this.#chunks, { key, head, isDeep }, list, replacement)
    })
  }

  /**
   * Brings the candles that open from a time on to the scale of newer ones: in each step those of a chunk, from the newest back, in one
   * transaction. `write` needs it for those that it changes, `replace` with a scale for all.
   */
  *scale(key: string, from = Number.NEGATIVE_INFINITY): Resumable {
    while (this.#head(key).scaledFrom > from) {
      this.#change(key, head => scaleNext(this.#chunks, key, head))
      yield
    }
  }

  /** Whether candles of a series are still to be brought to the scale of newer ones. */
  isScaling(key: string): boolean {
    return this.#head(key).scaledFrom > Number.NEGATIVE_INFINITY
  }

  /** The chunks of candles that are to replace a series, in steps. */
  cut(key: string, candles: readonly Candle[]): Resumable<ChunkChange[]> {
    return cutInSteps(key, candles)
  }

  /** Every series there is, in the order of their keys. */
  *list(): Iterable<SeriesInfo> {
    this.flush()
    for (const stored of this.#chunks.keys(...headRange)) {
      const info = this.info(seriesOfHead(stored))
      if (info) yield info
    }
  }

  /** What is known about a series without reading its candles; undefined where it has none. */
  info(key: string): SeriesInfo | undefined {
    this.#writeQueuedOf(key)
    const { count, first, last, wholeFrom } = this.#head(key)
    return count > 0 ? { key, count, first, last, wholeFrom, depth: this.depth(key) } : undefined
  }

  /** What series take on the disk: `count` of them from the one after `previous` on, in the order of their keys. */
  usage(count: number, previous?: string): readonly SeriesUsage[] {
    return readUsage(this.#chunks, count, previous)
  }

  /** Candles to store at least of a series. */
  depth(key: string): number {
    return Math.max(this.#depth, this.#head(key).depth)
  }

  /**
   * Sets how many candles of a series are stored at least, up to `maxDepth`, counted from the newest. A
   * lower depth than before changes nothing.
   */
  setDepth(key: string, depth: number): void {
    this.#change(key, head => ({
      changes: [],
      head: { ...head, depth: Math.min(maxDepth, Math.max(head.depth, depth)) },
    }))
  }

  /** Candles of a series that memory holds at least: the newest ones. */
  loadedDepth(key: string): number {
    return Math.min(maxLoaded, this.depth(key))
  }

  /** The most candles that the exchange was asked for at once; where fewer are stored, it has no more. */
  requestedDepth(key: string): number {
    return this.#head(key).requestedDepth
  }

  /**
   * The candles of a series that were others at a time (Unix seconds), by their open times, or undefined in their place where they were
   * not known; or since when that is known, where it is not for this time: Infinity where corrections are not stored.
   */
  asOf(key: string, time: number): ReadonlyMap<number, Candle | undefined> | number {
    this.#writeQueuedOf(key)
    if (this.#correctionsDays === 0) return Number.POSITIVE_INFINITY
    const { knownSince } = this.#head(key)
    return time < knownSince ? knownSince : (candlesAsOf(this.#chunks, key, time) ?? Number.POSITIVE_INFINITY)
  }

  /** A number that is another one after every change of a series by any process; 0 where nothing is stored. */
  revision(key: string): number {
    return this.#head(key).revision
  }

  /** Whether another process has changed a series since this one has read it. */
  isChanged(key: string): boolean {
    return !this.#writer.isKnown(key, this.#head(key).revision)
  }

  /** Removes a series, and the depth that was set for it. */
  remove(key: string): void {
    this.#writeQueuedOf(key)
    this.#chunks.write(() => [
      [headKey(key), undefined],
      ...removeFrom(this.#chunks, key, Number.NEGATIVE_INFINITY).changes,
      ...[...this.#chunks.keys(...correctionRange(key))].map((name): ChunkChange => [name, undefined]),
    ])
    this.#writer.forget(key)
  }

  /** The head of a series; one that is lost is written anew from the chunks. */
  #head(key: string): SeriesHead {
    const bytes = this.#chunks.get(headKey(key))
    const head = decodeHead(bytes)
    if (head) return head
    if (!bytes && firstOf(this.#chunks.keys(...chunkRange(key))) === undefined) return emptyHead
    this.#onCorrupt(key, 'its head was written anew, and a depth that was set for it is lost')
    this.#writer.drop(key, [])
    return decodeHead(this.#chunks.get(headKey(key))) ?? emptyHead
  }

  /** Writes what is queued of one series, so that it can be read. */
  #writeQueuedOf(key: string): void {
    if (this.#queue?.has(key)) this.#queue.write(key)
  }

  /** Writes the queued candles of some series: in one transaction, or each by itself where that takes no disk's time. */
  #writeQueued(keys: readonly string[]): void {
    for (const batch of this.#chunks.prepare ? keys.map(key => [key]) : [keys]) this.#writeBatch(batch)
  }

  #writeBatch(keys: readonly string[]): void {
    for (const key of keys) this.#head(key)
    const queued = keys.map(key => [key, this.#queue?.candlesOf(key) ?? []] as const)
    this.#writer.change(
      queued.map(([key, candles]) => [
        key,
        (head, storedIsNewer) => this.#mergeQueued(key, head, candles, storedIsNewer),
      ]),
    )
  }

  /** Changes a series in one transaction. */
  #change(key: string, work: SeriesWork): void {
    this.#head(key)
    this.#writer.change([[key, work]])
  }

  #mergeQueued(
    key: string,
    head: SeriesHead,
    candles: readonly Candle[],
    storedIsNewer = false,
  ): SeriesChange {
    const { first, superseded = [] } = this.#queue?.arrivalsOf(key) ?? {}
    const arrivedAt = ({ timestamp }: Candle) => first?.get(timestamp) ?? this.#clock()
    const change = this.#merge(key, head, candles, storedIsNewer, arrivedAt)
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
    checkScale(key, head, (fresh[0] as Candle).timestamp)
    return mergeIntoChunks({
      arrivedAt,
      storedIsNewer,
      chunks: this.#chunks,
      key,
      head,
      fresh,
      // What was fetched for a query for a time stays, too.
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

/** Throws an error where candles that open from a time on are still to be brought to the scale of newer ones. */
function checkScale(key: string, head: SeriesHead, from: number): void {
  if (head.scaledFrom > from) throw new Error(`Candles of ${key} are still to be scaled`)
}
