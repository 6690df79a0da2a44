import type { Candle } from './candle.js'
import { Lineage } from './lineage.js'
import type { Timeframe } from './timeframe.js'

/** The columns of a candle series, in their order in memory. */
export const columnNames = ['timestamp', 'open', 'high', 'low', 'close', 'volume'] as const
export type ColumnName = (typeof columnNames)[number]

let lastId = 0

/**
 * Candles as columns of f64 in one buffer, oldest first: six runs of `capacity` values. They are filled from the front
 * and a candle once written is never changed, so that another thread may read the candles whose number it was given
 * while more are appended. The buffer is shared memory unless one is given.
 *
 *   ├─ timestamp ─┼─ open ─┼─ high ─┼─ low ─┼─ close ─┼─ volume ─┤
 */
export class Columns implements Readonly<Record<ColumnName, Float64Array>> {
  /** Greater than that of all columns that this thread created before. */
  readonly id = ++lastId
  /** The same object for all columns that one series has had, one after another. */
  readonly lineage: Lineage
  readonly timestamp: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array

  constructor(
    readonly capacity: number,
    readonly buffer: ArrayBufferLike = new SharedArrayBuffer(Columns.byteLength(capacity)),
    /** Where the columns begin in the buffer, in bytes: a multiple of 8. */
    offset = 0,
    /** The columns of the same series that these ones replace. */
    replaced?: Columns,
  ) {
    this.lineage = replaced?.lineage ?? new Lineage()
    const column = (k: number) => new Float64Array(buffer, offset + k * capacity * 8, capacity)
    this.timestamp = column(0)
    this.open = column(1)
    this.high = column(2)
    this.low = column(3)
    this.close = column(4)
    this.volume = column(5)
  }

  /** Bytes that `capacity` candles take. */
  static byteLength(capacity: number): number {
    return columnNames.length * capacity * 8
  }

  /** Columns in memory of this thread: for the candles of a single request, which are copied to another thread. */
  static unshared(capacity: number): Columns {
    return new Columns(capacity, new ArrayBuffer(Columns.byteLength(capacity)))
  }

  /** Columns for `capacity` candles in which the series of `replaced` continues, after a correction for example. */
  static replacing(replaced: Columns, capacity: number): Columns {
    return new Columns(capacity, undefined, 0, replaced)
  }

  /** The columns that fill `buffer`, such as those of another thread. */
  static over(buffer: ArrayBufferLike): Columns {
    return new Columns(buffer.byteLength / Columns.byteLength(1), buffer)
  }

  /** Whether other threads may read them: those of a single request are not shared. */
  get isShared(): boolean {
    return this.buffer instanceof SharedArrayBuffer
  }

  write(at: number, candle: Candle): void {
    this.timestamp[at] = candle.timestamp
    this.open[at] = candle.open
    this.high[at] = candle.high
    this.low[at] = candle.low
    this.close[at] = candle.close
    this.volume[at] = candle.volume
  }

  read(at: number): Candle {
    return {
      timestamp: this.timestamp[at] as number,
      open: this.open[at] as number,
      high: this.high[at] as number,
      low: this.low[at] as number,
      close: this.close[at] as number,
      volume: this.volume[at] as number,
    }
  }
}

/** How many of the first `closed` candles open before `time` (Unix seconds): the index of the first one that does not. */
export function countBefore({ timestamp }: Columns, closed: number, time: number): number {
  let low = 0
  let high = closed
  while (low < high) {
    const middle = (low + high) >> 1
    if ((timestamp[middle] as number) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** How many of the first `closed` candles open at `time` (Unix seconds) or before it. Several bars may have the same time. */
export function countUntil(columns: Columns, closed: number, time: number): number {
  let count = countBefore(columns, closed, time)
  while (count < closed && columns.timestamp[count] === time) count++
  return count
}

/** The closed candle of a series that opens at `timestamp`, or undefined. */
export function closedAt(
  { columns, closed }: Pick<Snapshot, 'columns' | 'closed'>,
  timestamp: number,
): Candle | undefined {
  const at = countBefore(columns, closed, timestamp)
  return at < closed && columns.timestamp[at] === timestamp ? columns.read(at) : undefined
}

/** Candles of a series before those of a snapshot, which a thread reads. */
export interface OlderCandles {
  readonly timeframe: Timeframe
  /** When the first one opens, in Unix seconds. */
  readonly first: number
  /** Another one where other candles are in their place. */
  readonly id: string
  /** How they are read: what the thread is sent. */
  readonly place: unknown
  /** How those of other markets beside them are read; undefined for one that has none before those in memory. */
  readonly others?: readonly unknown[]
}

/** Some candles of a series, one after the other: those of the columns from `from` on and before `to`. */
export interface CandleBlock {
  readonly columns: Columns
  readonly from: number
  readonly to: number
}

/** A series at one time: the first `closed` candles of the columns, then the forming candle if there is one. */
export interface Snapshot {
  readonly columns: Columns
  readonly closed: number
  readonly forming: Candle | undefined
  /** All candles, the forming one included. */
  readonly count: number
  /** Whether the series has as many candles as it may have, so that older ones may exist. */
  readonly isFull?: boolean
  /** Those before them, where a query for a time is to know them. */
  readonly older?: OlderCandles
}

/** The snapshot as it was `backtrack` candles ago. */
export function rewind(snapshot: Snapshot, backtrack: number): Snapshot {
  if (backtrack === 0) return snapshot
  const closed = Math.max(0, snapshot.count - backtrack)
  return { columns: snapshot.columns, closed, forming: undefined, count: closed }
}

/** How many candles open before a time, the forming one included. */
export function allBefore(snapshot: Snapshot, time: number): number {
  const { columns, closed, forming } = snapshot
  return countBefore(columns, closed, time) + (forming !== undefined && forming.timestamp < time ? 1 : 0)
}

/** How many candles open at a time or before it, the forming one included. */
export function allUntil({ columns, closed, forming }: Snapshot, time: number): number {
  return countUntil(columns, closed, time) + (forming !== undefined && forming.timestamp <= time ? 1 : 0)
}

/** Candle `at`; the last one may be forming. */
export const candleAt = ({ columns, closed, forming }: Snapshot, at: number): Candle =>
  at < closed || !forming ? columns.read(at) : forming

/** The candles that open at `time` (Unix seconds) or later. */
export function candlesSince(snapshot: Snapshot, time: number): Candle[] {
  const from = countBefore(snapshot.columns, snapshot.closed, time)
  const candles = Array.from({ length: snapshot.closed - from }, (_, k) => snapshot.columns.read(from + k))
  if (snapshot.forming && snapshot.forming.timestamp >= time) candles.push(snapshot.forming)
  return candles
}

/** The open time of candle `at`, in Unix seconds. */
export const timestampAt = (snapshot: Snapshot, at: number): number =>
  at < snapshot.closed ? (snapshot.columns.timestamp[at] as number) : (snapshot.forming as Candle).timestamp
