import { type Candle, candlesFromBytes, candlesToBytes, isSame } from '../../candles/candle.js'
import { type Journal, StoreFailure } from '../../contract/storage/stores.js'
import { backoffMs } from '../../runtime/backoff.js'
import { candleBytes } from './chunk-codec.js'
import type { Correction } from './corrections.js'

/** Closed candles of one series, as written to the journal. */
export interface JournalRecord {
  /** At most 65,535 bytes of UTF-8. */
  readonly key: string
  readonly candles: readonly Candle[]
}

/**
 * Encodes a record of the journal, little-endian:
 *
 *   ├─ bytes of the key u16 ─┼─ key ─┼─ timestamp f64 ─┼─ open … volume, five f64 ─┼─ timestamp f64 ─┤ …
 */
export function encodeRecord({ key, candles }: JournalRecord): Uint8Array {
  const name = Buffer.from(key)
  const length = Buffer.alloc(2)
  length.writeUInt16LE(name.byteLength)
  return Buffer.concat([length, name, candlesToBytes(candles)])
}

export function decodeRecord(record: Uint8Array): JournalRecord {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength)
  const begin = 2 + bytes.readUInt16LE()
  return { key: bytes.toString('utf8', 2, begin), candles: candlesFromBytes(bytes.subarray(begin)) }
}

/** Maximum delay of queued candles, in milliseconds, to be written with others. */
const writeDelayMs = 1000
/** Series written in one transaction, and the milliseconds until the next one, in which requests are answered. */
const batch = { series: 20, pauseMs: 20 } as const
/** Longest time between two attempts to write a series. */
const maxRetryMs = 60_000

/** Maximum number of queued candles of series that could not be written: about 20 MB. */
export const maxFailedCandles = 100_000
/** Journal size in bytes from which the journal is rewritten without records that are already written. */
const maxJournalBytes = 4 * 2 ** 20

/** Queued candles of a series, in their latest states. */
export class QueuedSeries {
  readonly #states = new Map<number, Candle>()
  /** First arrival of each candle, in Unix seconds by open time. */
  readonly #arrivals = new Map<number, number>()
  /** States that were replaced while they were queued. */
  readonly superseded: Correction[] = []
  /** `single` after a failed transaction: it is written by itself. `failed` after that has failed, until its retry. */
  state: 'new' | 'single' | 'failed' = 'new'
  /** Whether the journal has all of the candles. */
  isJournalled = true

  constructor(readonly key: string) {}

  get size(): number {
    return this.#states.size
  }

  /** Ascending. */
  get candles(): readonly Candle[] {
    return [...this.#states.values()].sort((a, b) => a.timestamp - b.timestamp)
  }

  /** First arrival of a queued candle, in Unix seconds. */
  arrivalOf({ timestamp }: Candle): number {
    return this.#arrivals.get(timestamp) as number
  }

  put(candles: readonly Candle[], at: number): void {
    for (const candle of candles) {
      const { timestamp } = candle
      const before = this.#states.get(timestamp)
      if (before === undefined) this.#arrivals.set(timestamp, at)
      else if (!isSame(before, candle)) this.superseded.push({ at, timestamp, before })
      this.#states.set(timestamp, candle)
    }
  }
}

interface Options {
  readonly clock: () => number
  /** Writes the candles of some series, all of it or nothing. */
  readonly write: (series: readonly QueuedSeries[]) => void
  readonly journal: Journal
  readonly onFailure: (error: unknown, key?: string) => void
}

/**
 * Candles to be written to the archive together. They are in the journal until they are written. A series that
 * cannot be written waits behind the others, which are written.
 */
export class WriteQueue {
  readonly #series = new Map<string, QueuedSeries>()
  /** Series whose candles were dropped from the queue unwritten. */
  readonly #givenUp = new Set<string>()
  #journalBytes = 0
  #timer: NodeJS.Timeout | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #retries = 0
  #isClosed = false

  constructor(private readonly options: Options) {}

  /**
   * Writes candles within a second. Throws a StoreFailure if earlier candles of the series were given up. These
   * alone would leave a hole, so the whole series must be written.
   */
  add(key: string, candles: readonly Candle[]): void {
    if (this.#givenUp.delete(key)) throw new StoreFailure(`Candles of ${key} could not be written`)
    if (candles.length === 0) return
    this.#journal(this.#put(key, candles), candles)
    this.#giveUp()
    this.#scheduleIn(writeDelayMs)
  }

  /** Writes the candles of a series immediately, if it has any. */
  write(key: string): void {
    const queued = this.#series.get(key)
    if (queued) this.#writeAll([queued])
  }

  /** Writes everything immediately. Candles that cannot be written stay, and the first error is thrown after the rest. */
  flush(): void {
    const failures: unknown[] = []
    const all = [...this.#series.values()]
    for (let from = 0; from < all.length; from += batch.series) {
      const some = all.slice(from, from + batch.series)
      try {
        this.#writeAll(some)
      } catch {
        for (const series of some)
          try {
            this.#writeAll([series])
          } catch (error) {
            failures.push(error)
          }
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Writes everything immediately. Candles added later are not written. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearTimeout(this.#retryTimer)
    this.flush()
  }

  /**
   * Writes the queued candles of processes that ended before their write, as far as `accept` returns them. Candles
   * that cannot be written are queued. Throws the first error.
   */
  recover(accept: (key: string, candles: readonly Candle[]) => readonly Candle[]): void {
    const removeRecords = this.options.journal.recover(record => {
      const { key, candles } = decodeRecord(record)
      const accepted = accept(key, candles)
      if (accepted.length > 0) this.#put(key, accepted)
    })
    try {
      this.flush()
    } catch (error) {
      for (const series of this.#series.values()) this.#journal(series, series.candles)
      this.#scheduleIn(writeDelayMs)
      if ([...this.#series.values()].some(({ isJournalled }) => !isJournalled)) throw error
      this.options.onFailure(error)
    }
    removeRecords()
  }

  #put(key: string, candles: readonly Candle[]): QueuedSeries {
    const series = this.#series.get(key) ?? new QueuedSeries(key)
    series.put(candles, this.options.clock())
    this.#series.set(key, series)
    return series
  }

  /** Appends candles to the journal. Candles that fail are appended with the next ones, so that the journal has no holes. */
  #journal(series: QueuedSeries, candles: readonly Candle[]): void {
    const { key, isJournalled } = series
    const record = encodeRecord({ key, candles: isJournalled ? candles : series.candles })
    try {
      this.options.journal.append(record)
      this.#journalBytes += record.byteLength
      series.isJournalled = true
    } catch (error) {
      series.isJournalled = false
      this.options.onFailure(error, key)
    }
  }

  #writeAll(some: readonly QueuedSeries[]): void {
    this.options.write(some)
    for (const { key } of some) this.#series.delete(key)
    if (this.#failed.length === 0) this.#retries = 0
    this.#clearJournal()
  }

  /** The series that failed first comes first. */
  get #failed(): readonly QueuedSeries[] {
    return [...this.#series.values()].filter(({ state }) => state === 'failed')
  }

  /** Removes written records from the journal: if all are written, or if a large journal consists mostly of them. */
  #clearJournal(): void {
    if (this.#journalBytes === 0 || (this.#series.size > 0 && this.#journalBytes < maxJournalBytes)) return
    const all = [...this.#series.values()]
    const queuedBytes = all.reduce((sum, { size }) => sum + size * candleBytes, 0)
    if (all.length > 0 && this.#journalBytes < 2 * queuedBytes) return
    const kept = all.map(encodeRecord)
    try {
      this.options.journal.clear(kept)
      this.#journalBytes = kept.reduce((sum, record) => sum + record.byteLength, 0)
      for (const series of all) series.isJournalled = true
    } catch (error) {
      this.options.onFailure(error)
    }
  }

  /** Drops the series that failed first while the failed series together have too many candles for memory. */
  #giveUp(): void {
    // Failed series wait for this timer.
    if (!this.#retryTimer) return
    const failed = this.#failed
    let count = failed.reduce((sum, { size }) => sum + size, 0)
    for (const { key, size } of failed) {
      if (count <= maxFailedCandles) return
      count -= size
      this.#series.delete(key)
      this.#givenUp.add(key)
      this.#clearJournal()
    }
  }

  #nextBatch(): readonly QueuedSeries[] {
    const some: QueuedSeries[] = []
    for (const series of this.#series.values()) {
      if (series.state === 'single') return [series]
      if (series.state === 'new' && some.length < batch.series) some.push(series)
    }
    return some
  }

  #writeNext(): void {
    const some = this.#nextBatch()
    if (some.length === 0) return
    try {
      this.#writeAll(some)
    } catch (error) {
      if (some.length > 1) for (const series of some) series.state = 'single'
      else this.#postpone(some[0] as QueuedSeries, error)
    }
    this.#scheduleIn(batch.pauseMs)
  }

  /** Puts a series that could not be written behind all others until its retry. */
  #postpone(series: QueuedSeries, error: unknown): void {
    const { key } = series
    series.state = 'failed'
    this.#series.delete(key)
    this.#series.set(key, series)
    this.options.onFailure(error, key)
    if (this.#isClosed) return
    this.#retryTimer ??= setTimeout(
      () => {
        this.#retryTimer = undefined
        for (const each of this.#failed) each.state = 'new'
        this.#scheduleIn(0)
      },
      backoffMs(this.#retries++, writeDelayMs, maxRetryMs),
    ).unref()
  }

  #scheduleIn(ms: number): void {
    if (this.#isClosed || this.#timer || this.#nextBatch().length === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#writeNext()
    }, ms).unref()
  }
}
