import { type Candle, inOrder, isSame } from './candle.js'
import { Columns, columnNames, countBefore, type Snapshot } from './columns.js'
import { endOf, type Timeframe } from './timeframe.js'

const minCapacity = 1024

/**
 * How many of `count` closed candles stay when one more is appended: those beyond the depth are dropped once there are a
 * quarter more. The archive counts in the same way, so that it has the same candles as the series in memory.
 */
export const countAfterTrim = (count: number, depth: number): number =>
  count >= mostWithDepth(depth) ? depth : count

/** The most candles that a series of a depth has. */
export const mostWithDepth = (depth: number): number => Math.ceil(depth * 1.25)

/**
 * The candles of one market in one timeframe. Closed candles are appended to shared columns and never change
 * there; a correction of a closed candle starts new columns, so that snapshots taken before stay what they were.
 * The forming candle is kept by value and amended as the market moves.
 */
export class Series {
  #columns = new Columns(minCapacity)
  #closed = 0
  #forming: Candle | undefined
  /** The newest closed candle was closed by the time alone: the exchange has not shown a newer one. */
  #isNewestUnproven = false
  #snapshot: Snapshot | undefined

  constructor(
    readonly timeframe: Timeframe,
    /** The most candles kept; beyond a quarter more than that the oldest are dropped. */
    readonly depth: number,
  ) {}

  /** A series of the first `closed` candles of columns, to which it will write. */
  static over(timeframe: Timeframe, depth: number, columns: Columns, closed: number): Series {
    const series = new Series(timeframe, depth)
    series.#columns = columns
    series.#closed = closed
    return series
  }

  /** All candles, the forming one included. */
  get count(): number {
    return this.#closed + (this.#forming ? 1 : 0)
  }

  /** Bytes of memory of the candles, and of the bars that were made of them lately. */
  get bytes(): number {
    return this.#columns.buffer.byteLength + this.#columns.lineage.byteLength
  }

  /** The open time of the newest candle, or undefined where there is none. */
  get newest(): number | undefined {
    if (this.#forming) return this.#forming.timestamp
    return this.#closed > 0 ? this.#columns.timestamp[this.#closed - 1] : undefined
  }

  /** The open time of the newest closed candle, or undefined where there is none. */
  get newestClosed(): number | undefined {
    return this.#closed > 0 ? this.#timestamp(this.#closed - 1) : undefined
  }

  /** The newest closed candle where the exchange has not shown its end. */
  get unproven(): Candle | undefined {
    return this.#isNewestUnproven ? this.#columns.read(this.#closed - 1) : undefined
  }

  /** The candles as they are; the same object for as long as they stay so. */
  snapshot(): Snapshot {
    this.#snapshot ??= {
      columns: this.#columns,
      closed: this.#closed,
      forming: this.#forming,
      count: this.count,
      isFull: this.count >= this.depth,
    }
    return this.#snapshot
  }

  /** Adds a closed candle, newer than all before it. */
  append(candle: Candle): void {
    this.#checkNewer(candle)
    this.#snapshot = undefined
    const staying = countAfterTrim(this.#closed, this.depth)
    if (staying < this.#closed || this.#closed === this.#columns.capacity)
      this.#copyToNewColumns(this.#closed - staying, staying)
    this.#columns.write(this.#closed++, candle)
  }

  /** Sets the forming candle. */
  amend(candle: Candle): void {
    this.#checkNewer(candle)
    this.#snapshot = undefined
    this.#forming = candle
  }

  /**
   * Whether an answer that an exchange gave to a request at the time `now` (Unix seconds) shows that the newest candles
   * of the series do not exist: they open later than `now`, and its last one is older. Such candles were sent by mistake,
   * or the clock was set back.
   */
  isContradicted(answer: readonly Candle[], now: number): boolean {
    const last = answer.at(-1)?.timestamp
    return last !== undefined && this.newest !== undefined && this.newest > now && this.newest > last
  }

  /**
   * Adds candles as an exchange shows them at the time `now` (Unix seconds): the last one may be forming. A candle is
   * closed when a newer one is shown or when it ends by `now`; one that was closed by the time alone is forming again
   * where it is shown before its end. Known candles are corrected where they differ, gaps between them are filled, and
   * contradicted ones are dropped. Answers the closed candles that are new or corrected, without one that was closed by
   * the time alone: it is among the answered ones once a newer one is shown.
   */
  merge(shown: readonly Candle[], now: number): readonly Candle[] {
    this.#snapshot = undefined
    const candles = inOrder(shown)
    const [oldest, last] = [candles[0], candles.at(-1)]
    if (!oldest || !last) return []
    if (this.isContradicted(candles, now)) this.#dropAfter(last.timestamp)
    const isOld = last.timestamp < (this.newest ?? Number.NEGATIVE_INFINITY)
    const hasEnded = endOf(this.timeframe, last.timestamp) <= now
    if (!isOld && !hasEnded && last.timestamp === this.newestClosed) this.#dropAfter(last.timestamp - 1)
    // The last one of candles that are older than the series may have been forming when they were fetched.
    const closed = hasEnded && !isOld ? [...candles] : candles.slice(0, -1)
    // It is closed, though its end was not shown: its last known state counts until it is fetched again.
    if (this.#forming && this.#forming.timestamp < oldest.timestamp) closed.unshift(this.#forming)
    const known = this.newestClosed ?? Number.NEGATIVE_INFINITY
    const corrected = closed.filter(candle => candle.timestamp <= known && !this.#isKnown(candle))
    const added = closed.filter(candle => candle.timestamp > known)
    if (corrected.length > 0) this.#rebuild(corrected)
    const { unproven } = this
    for (const candle of added) this.append(candle)
    const isForming = !hasEnded && !isOld
    if (isForming) this.#forming = last
    else if (this.#forming && this.#forming.timestamp <= this.#timestamp(this.#closed - 1))
      this.#forming = undefined
    if (!isOld) this.#isNewestUnproven = !isForming
    return this.#provenOf([...corrected, ...added], unproven)
  }

  /** The candles whose end the exchange has shown: of those that changed, and the one that was unproven before. */
  #provenOf(changed: readonly Candle[], before: Candle | undefined): readonly Candle[] {
    const { unproven } = this
    const isProven = before && before.timestamp !== unproven?.timestamp
    const isChanged = changed.some(({ timestamp }) => timestamp === before?.timestamp)
    const proven = changed.filter(({ timestamp }) => timestamp !== unproven?.timestamp)
    return isProven && !isChanged ? [before, ...proven] : proven
  }

  #checkNewer({ timestamp }: Candle): void {
    if (this.#closed > 0 && !(timestamp > this.#timestamp(this.#closed - 1)))
      throw new Error(`a candle that opens at ${timestamp} would not be the newest one of its series`)
  }

  /** Drops the candles that open after `time`. */
  #dropAfter(time: number): void {
    if (this.#forming && this.#forming.timestamp > time) this.#forming = undefined
    const staying = countBefore(this.#columns, this.#closed, time + 1)
    if (staying === this.#closed) return
    this.#isNewestUnproven = false
    this.#copyToNewColumns(0, staying)
  }

  #timestamp(at: number): number {
    return this.#columns.timestamp[at] as number
  }

  /** Whether a candle is in the series as it is. One before the first candle is beyond the depth, so it is no gap. */
  #isKnown(candle: Candle): boolean {
    const at = countBefore(this.#columns, this.#closed, candle.timestamp)
    if (at === this.#closed || this.#timestamp(at) !== candle.timestamp) return at === 0
    return isSame(candle, this.#columns.read(at))
  }

  /** Starts new columns with these closed candles, ascending, in addition to the others or in their place. */
  #rebuild(fresh: readonly Candle[]): void {
    const old = this.#columns
    const places = fresh.map(({ timestamp }) => countBefore(old, this.#closed, timestamp))
    const isReplaced = (k: number) => {
      const at = places[k] as number
      return at < this.#closed && old.timestamp[at] === fresh[k]?.timestamp
    }
    const added = fresh.filter((_, k) => !isReplaced(k)).length
    const columns = Columns.replacing(old, capacityFor(this.#closed + added))
    let from = 0
    let count = 0
    const copyTo = (end: number) => {
      if (end === from) return
      for (const name of columnNames) columns[name].set(old[name].subarray(from, end), count)
      count += end - from
    }
    for (const [k, candle] of fresh.entries()) {
      const at = places[k] as number
      copyTo(at)
      columns.write(count++, candle)
      from = isReplaced(k) ? at + 1 : at
    }
    copyTo(this.#closed)
    this.#columns = columns
    this.#closed = count
  }

  /** Copies `count` closed candles from `from` on to new columns; earlier snapshots keep the old ones. */
  #copyToNewColumns(from: number, count: number): void {
    const columns = Columns.replacing(this.#columns, capacityFor(count + 1))
    for (const name of columnNames) columns[name].set(this.#columns[name].subarray(from, from + count))
    this.#columns = columns
    this.#closed = count
  }
}

/** The size of columns that hold `count` candles. */
export function capacityFor(count: number): number {
  let capacity = minCapacity
  while (capacity < count) capacity *= 2
  return capacity
}
