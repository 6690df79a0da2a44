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

/** Arrivals of queued candles: their first times, and their superseded states. */
export interface Arrivals {
  /** Unix seconds by open time. */
  readonly first: ReadonlyMap<number, number>
  readonly superseded: readonly Correction[]
}

interface Options {
  readonly clock: () => number
  /** Writes the queued candles of some series, all of it or nothing. */
  readonly write: (keys: readonly string[]) => void
  readonly journal: Journal
  readonly onFailure: (error: unknown, key?: string) => void
}

/**
 * Candles to be written to the archive together, by series; the latest state of each candle. They are in the
 * journal until they are written. A series that cannot be written waits behind the others, which are written.
 */
export class WriteQueue {
  readonly #candles = new Map<string, Map<number, Candle>>()
  /** First arrival of each queued candle, and its superseded states. */
  readonly #arrivals = new Map<string, Arrivals>()
  /** Series of a failed transaction. Each is written by itself, to find the one that cannot be written. */
  readonly #singles = new Set<string>()
  /** Series that could not be written by themselves, until their retry. */
  readonly #failed = new Set<string>()
  /** Series whose candles were dropped from the queue unwritten. */
  readonly #givenUp = new Set<string>()
  /** Series with queued candles that the journal lacks. */
  readonly #unjournalled = new Set<string>()
  #journalBytes = 0
  #timer: NodeJS.Timeout | undefined
  #retryTimer: NodeJS.Timeout | undefined
  #retries = 0
  #isClosed = false

  constructor(private readonly options: Options) {}

  has(key: string): boolean {
    return this.#candles.has(key)
  }

  /** Queued candles of a series, ascending. */
  candlesOf(key: string): readonly Candle[] {
    return [...(this.#candles.get(key)?.values() ?? [])].sort((a, b) => a.timestamp - b.timestamp)
  }

  arrivalsOf(key: string): Arrivals | undefined {
    return this.#arrivals.get(key)
  }

  /**
   * Writes candles within a second. Throws a StoreFailure if earlier candles of the series were given up. These
   * alone would leave a hole, so the whole series must be written.
   */
  add(key: string, candles: readonly Candle[]): void {
    if (this.#givenUp.delete(key)) throw new StoreFailure(`Candles of ${key} could not be written`)
    this.#put(key, candles)
    this.#journal(key, candles)
    this.#giveUp()
    this.#scheduleIn(writeDelayMs)
  }

  write(key: string): void {
    this.#writeAll([key])
  }

  /** Writes everything immediately. Candles that cannot be written stay, and the first error is thrown after the rest. */
  flush(): void {
    const failures: unknown[] = []
    const keys = [...this.#candles.keys()]
    for (let from = 0; from < keys.length; from += batch.series) {
      const some = keys.slice(from, from + batch.series)
      try {
        this.#writeAll(some)
      } catch {
        for (const key of some)
          try {
            this.#writeAll([key])
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
      this.#put(key, accept(key, candles))
    })
    try {
      this.flush()
    } catch (error) {
      for (const key of this.#candles.keys()) this.#unjournalled.add(key)
      for (const key of this.#candles.keys()) this.#journal(key, [])
      this.#scheduleIn(writeDelayMs)
      if (this.#unjournalled.size > 0) throw error
      this.options.onFailure(error)
    }
    removeRecords()
  }

  #put(key: string, candles: readonly Candle[]): void {
    const queued = this.#candles.get(key) ?? new Map<number, Candle>()
    const at = this.options.clock()
    const known = this.#arrivals.get(key)
    const first = new Map(known?.first)
    const superseded = [...(known?.superseded ?? [])]
    for (const candle of candles) {
      const { timestamp } = candle
      const before = queued.get(timestamp)
      if (before === undefined) first.set(timestamp, at)
      else if (!isSame(before, candle)) superseded.push({ at, timestamp, before })
      queued.set(timestamp, candle)
    }
    if (queued.size === 0) return
    this.#candles.set(key, queued)
    this.#arrivals.set(key, { first, superseded })
  }

  /** Appends candles to the journal. Candles that fail are appended with the next ones, so that the journal has no holes. */
  #journal(key: string, candles: readonly Candle[]): void {
    const record = encodeRecord({
      key,
      candles: this.#unjournalled.has(key) ? this.candlesOf(key) : candles,
    })
    try {
      this.options.journal.append(record)
      this.#journalBytes += record.byteLength
      this.#unjournalled.delete(key)
    } catch (error) {
      this.#unjournalled.add(key)
      this.options.onFailure(error, key)
    }
  }

  #writeAll(keys: readonly string[]): void {
    this.options.write(keys)
    for (const key of keys) this.#forget(key)
    if (this.#failed.size === 0) this.#retries = 0
    this.#clearJournal()
  }

  #forget(key: string): void {
    for (const part of [this.#candles, this.#arrivals, this.#singles, this.#failed, this.#unjournalled])
      part.delete(key)
  }

  /** Removes written records from the journal: if all are written, or if a large journal consists mostly of them. */
  #clearJournal(): void {
    if (this.#journalBytes === 0 || (this.#candles.size > 0 && this.#journalBytes < maxJournalBytes)) return
    const queuedBytes = [...this.#candles.values()].reduce((sum, { size }) => sum + size * candleBytes, 0)
    if (this.#candles.size > 0 && this.#journalBytes < 2 * queuedBytes) return
    const kept = [...this.#candles.keys()].map(key => encodeRecord({ key, candles: this.candlesOf(key) }))
    try {
      this.options.journal.clear(kept)
      this.#journalBytes = kept.reduce((sum, record) => sum + record.byteLength, 0)
      this.#unjournalled.clear()
    } catch (error) {
      this.options.onFailure(error)
    }
  }

  /** Drops the series that failed first while the failed series together have too many candles for memory. */
  #giveUp(): void {
    const countOf = (key: string) => this.#candles.get(key)?.size ?? 0
    let count = 0
    for (const key of this.#failed) count += countOf(key)
    for (const key of this.#failed) {
      if (count <= maxFailedCandles) return
      count -= countOf(key)
      this.#forget(key)
      this.#givenUp.add(key)
      this.#clearJournal()
    }
  }

  #nextBatch(): readonly string[] {
    for (const key of this.#singles) return [key]
    const keys: string[] = []
    for (const key of this.#candles.keys()) {
      if (keys.length === batch.series) break
      if (!this.#failed.has(key)) keys.push(key)
    }
    return keys
  }

  #writeNext(): void {
    const keys = this.#nextBatch()
    if (keys.length === 0) return
    try {
      this.#writeAll(keys)
    } catch (error) {
      if (keys.length > 1) for (const key of keys) this.#singles.add(key)
      else this.#postpone(keys[0] as string, error)
    }
    this.#scheduleIn(batch.pauseMs)
  }

  /** Puts a series that could not be written behind all others until its retry. */
  #postpone(key: string, error: unknown): void {
    this.#singles.delete(key)
    this.#failed.add(key)
    const queued = this.#candles.get(key) as Map<number, Candle>
    this.#candles.delete(key)
    this.#candles.set(key, queued)
    this.options.onFailure(error, key)
    if (this.#isClosed) return
    this.#retryTimer ??= setTimeout(
      () => {
        this.#retryTimer = undefined
        this.#failed.clear()
        this.#scheduleIn(0)
      },
      backoffMs(this.#retries++, writeDelayMs, maxRetryMs),
    ).unref()
  }

  #scheduleIn(ms: number): void {
    if (this.#isClosed || this.#candles.size === this.#failed.size) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writeNext()
    }, ms).unref()
  }
}
