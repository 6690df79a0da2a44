import type { Candle } from './candle.js'
import { hasLength, type Timeframe, timeframes } from './timeframe.js'

/** Data derived from a series of candles, which grow with the series. */
export interface Derived {
  readonly byteLength: number
}

/** Maximum number of unused derived data kept in memory. */
const maxRecent = 4

/** Data shared by all successive columns of one series. */
export class Lineage {
  /** Owner of the columns. It stays in memory as long as the columns. */
  owner: Derived | undefined
  /** Derived data by name. */
  #known: Map<string, WeakRef<Derived>> | undefined
  /** Recently used derived data, most recent first. */
  #recent: readonly Derived[] = []

  /** Bytes of the recently used derived data. */
  get byteLength(): number {
    return this.#recent.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** Derived data with a name. Found as long as something uses them or they were used recently. */
  find(name: string): Derived | undefined {
    return this.#known?.get(name)?.deref()
  }

  /** Keeps derived data under a name, instead of `old`. */
  keep(name: string, derived: Derived, old?: Derived): void {
    this.#known ??= new Map()
    for (const [other, ref] of this.#known) if (!ref.deref()) this.#known.delete(other)
    this.#known.set(name, new WeakRef(derived))
    this.#recent = this.#recent.filter(each => each !== old)
    this.use(derived)
  }

  use(derived: Derived): void {
    if (this.#recent[0] === derived) return
    const others = this.#recent.filter(each => each !== derived)
    this.#recent = [derived, ...others].slice(0, maxRecent)
  }
}

/** Columns of a candle series, in their order in memory. */
export const columnNames = ['timestamp', 'open', 'high', 'low', 'close', 'volume'] as const
export type ColumnName = (typeof columnNames)[number]

let lastId = 0

/**
 * Candles as columns of f64 in one buffer, oldest first: six runs of `capacity` values. The columns are filled from the front, and
 * a written candle never changes. So another thread can read the first candles up to a given number while more are appended. The
 * buffer is shared memory unless a buffer is passed.
 *
 *   ├─ timestamp ─┼─ open ─┼─ high ─┼─ low ─┼─ close ─┼─ volume ─┤
 */
export class Columns implements Readonly<Record<ColumnName, Float64Array>> {
  /** Id that is greater than the ids of all columns created earlier in this thread. */
  readonly id = ++lastId
  /** Lineage that all successive columns of one series share. */
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
    /** Byte offset of the columns in the buffer: a multiple of 8. */
    offset = 0,
    /** Columns of the same series that the new columns replace. */
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

  static byteLength(capacity: number): number {
    return columnNames.length * capacity * 8
  }

  /** Columns in memory of this thread, for the candles of a single request. They are copied to other threads. */
  static unshared(capacity: number): Columns {
    return new Columns(capacity, new ArrayBuffer(Columns.byteLength(capacity)))
  }

  /** Columns for `capacity` candles that continue the series of `replaced`, for example after a correction. */
  static replacing(replaced: Columns, capacity: number): Columns {
    return new Columns(capacity, undefined, 0, replaced)
  }

  /** Columns over an existing buffer, for example of another thread. The columns fill the buffer. */
  static over(buffer: ArrayBufferLike): Columns {
    return new Columns(buffer.byteLength / Columns.byteLength(1), buffer)
  }

  /** Whether other threads can read the columns. Columns of a single request are not shared. */
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

/** Number of the first `closed` candles that open before `time` (Unix seconds). It is the index of the first later candle. */
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

/** Number of the first `closed` candles that open at or before `time` (Unix seconds). Several bars may have the same time. */
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

/** Candles of a series before the candles of a snapshot. A worker thread reads them. */
export interface OlderCandles {
  readonly timeframe: Timeframe
  /** Open time of the first candle, in Unix seconds. */
  readonly first: number
  /** Id that changes when the candles are replaced by others. */
  readonly id: string
  /** Location of the candles, which is sent to the thread. */
  readonly location: unknown
}

/** Consecutive candles of a series: the candles of the columns from index `from` to before `to`. */
export interface CandleBlock {
  readonly columns: Columns
  readonly from: number
  readonly to: number
}

/** Snapshot of a series: the first `closed` candles of the columns, then the forming candle if there is one. */
export interface Snapshot {
  readonly columns: Columns
  readonly closed: number
  readonly forming: Candle | undefined
  /** Number of candles, including the forming candle. */
  readonly count: number
  /** Whether the series has its maximum number of candles, so that older candles may exist. */
  readonly isFull?: boolean
  /** Older candles, if a query for a time needs them. */
  readonly older?: OlderCandles | undefined
}

/** Candles that a computation reads: those of its market, then those of the other markets of its expression, in order. */
export type Inputs = readonly [own: Snapshot, ...others: OtherCandles[]]

/** Candles of another market, as known with the newest candle of a snapshot. */
export interface OtherCandles extends Pick<Snapshot, 'columns' | 'closed' | 'forming' | 'older'> {
  /** Whether the forming candle has ended. It counts as closed although its market has not closed it yet. */
  readonly hasEnded: boolean
}

/** Number of candles of another market that count as closed. */
export const countOf = ({ closed, hasEnded }: OtherCandles): number => closed + (hasEnded ? 1 : 0)

/** Returns inputs with the first `closed` closed candles of their market, without a forming one. */
export const closedCandles = ([own, ...others]: Inputs, closed = own.closed): Inputs => [
  { ...own, closed, forming: undefined, count: closed },
  ...others,
]

/** Returns inputs without the last `backtrack` candles of their market. */
export const rewind = (inputs: Inputs, backtrack: number): Inputs =>
  backtrack === 0 ? inputs : closedCandles(inputs, Math.max(0, inputs[0].count - backtrack))

/** Number of candles that open before a time, including the forming candle. */
export function allBefore(snapshot: Snapshot, time: number): number {
  const { columns, closed, forming } = snapshot
  return countBefore(columns, closed, time) + (forming !== undefined && forming.timestamp < time ? 1 : 0)
}

/** Number of candles that open at or before a time, including the forming candle. */
export function allUntil({ columns, closed, forming }: Snapshot, time: number): number {
  return countUntil(columns, closed, time) + (forming !== undefined && forming.timestamp <= time ? 1 : 0)
}

/** Candle at index `at`. The last candle may be forming. */
export const candleAt = (
  { columns, closed, forming }: Pick<Snapshot, 'columns' | 'closed' | 'forming'>,
  at: number,
): Candle => (at < closed || !forming ? columns.read(at) : forming)

/** Candles that open at or after `time` (Unix seconds). */
export function candlesSince(snapshot: Snapshot, time: number): Candle[] {
  const from = countBefore(snapshot.columns, snapshot.closed, time)
  const candles = Array.from({ length: snapshot.closed - from }, (_, k) => snapshot.columns.read(from + k))
  if (snapshot.forming && snapshot.forming.timestamp >= time) candles.push(snapshot.forming)
  return candles
}

/** Open time of candle `at`, in Unix seconds. */
export const timestampAt = (
  snapshot: Pick<Snapshot, 'columns' | 'closed' | 'forming'>,
  at: number,
): number =>
  at < snapshot.closed ? (snapshot.columns.timestamp[at] as number) : (snapshot.forming as Candle).timestamp

/**
 * Derives the timeframe of supplied candles: the one whose length is the smallest distance between two of them.
 * Undefined if there is none.
 */
export function timeframeOf({ columns, closed }: Snapshot): Timeframe | undefined {
  const distance = smallestDistance(columns, closed)
  return (Object.keys(timeframes) as Timeframe[]).find(timeframe => hasLength(timeframe, distance))
}

function smallestDistance({ timestamp }: Columns, count: number): number {
  let smallest = Number.POSITIVE_INFINITY
  for (let i = 1; i < count; i++)
    smallest = Math.min(smallest, (timestamp[i] as number) - (timestamp[i - 1] as number))
  return smallest
}
