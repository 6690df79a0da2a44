import { type Candle, inOrder, isSame } from './candle.js'
import { Columns, columnNames, countBefore, type Snapshot } from './columns.js'
import { endOf, type Timeframe } from './timeframe.js'

const minCapacity = 1024

/**
 * Number of `count` closed candles that are kept when one more is appended. Candles beyond the depth are dropped once the count
 * exceeds the depth by a quarter. The archive uses the same rule, so that it has the same candles as the series in memory.
 */
export const countAfterTrim = (count: number, depth: number): number =>
  count >= mostWithDepth(depth) ? depth : count

/** Maximum number of closed candles of a series with a depth. */
export const mostWithDepth = (depth: number): number => Math.ceil(depth * 1.25)

/**
 * Candles of one market in one timeframe. Closed candles are appended to shared columns and never change there. A correction of a
 * closed candle starts new columns, so that earlier snapshots stay unchanged. The forming candle is kept by value and amended as
 * the market moves.
 */
export class Series {
  #columns = new Columns(minCapacity)
  #closed = 0
  #forming: Candle | undefined
  /** Whether the newest closed candle was closed only by the clock, because the exchange has not shown a newer candle. */
  #isNewestUnproven = false
  #snapshot: Snapshot | undefined

  constructor(
    readonly timeframe: Timeframe,
    /** Number of kept candles. The oldest candles are dropped once the count exceeds the depth by a quarter. */
    readonly depth: number,
  ) {}

  /** Creates a series of the first `closed` candles of columns. The series will write to these columns. */
  static over(timeframe: Timeframe, depth: number, columns: Columns, closed: number): Series {
    const series = new Series(timeframe, depth)
    series.#columns = columns
    series.#closed = closed
    return series
  }

  /** Number of candles, including the forming candle. */
  get count(): number {
    return this.#closed + (this.#forming ? 1 : 0)
  }

  /** Bytes of memory of the candles and of their recently used bars. */
  get bytes(): number {
    return this.#columns.buffer.byteLength + this.#columns.lineage.byteLength
  }

  /** Open time of the newest candle; undefined if the series is empty. */
  get newest(): number | undefined {
    if (this.#forming) return this.#forming.timestamp
    return this.#closed > 0 ? this.#columns.timestamp[this.#closed - 1] : undefined
  }

  /** Open time of the newest closed candle; undefined if there is none. */
  get newestClosed(): number | undefined {
    return this.#closed > 0 ? this.#timestamp(this.#closed - 1) : undefined
  }

  /** Newest closed candle, if the exchange has not shown its end; else undefined. */
  get unproven(): Candle | undefined {
    return this.#isNewestUnproven ? this.#columns.read(this.#closed - 1) : undefined
  }

  /** Snapshot of the present candles. Returns the same object until they change. */
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

  /** Adds a closed candle. Throws unless it is newer than all closed candles. */
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
   * Whether the reply of an exchange to a request at `now` (Unix seconds) shows that the newest candles of the series do not exist.
   * That is so if they open later than `now` and the last candle of the reply is older. Such candles were sent by mistake, or the
   * clock was set back.
   */
  isContradicted(answer: readonly Candle[], now: number): boolean {
    const last = answer.at(-1)?.timestamp
    return last !== undefined && this.newest !== undefined && this.newest > now && this.newest > last
  }

  /**
   * Merges candles that an exchange shows at the time `now` (Unix seconds). The last candle may be forming. A candle is closed if a
   * newer candle is shown, or if its end is not after `now`. A candle that was closed only by the clock is forming again if it is
   * shown before its end. Known candles that differ are corrected, gaps are filled, and contradicted candles are dropped.
   *
   * Returns the new and corrected closed candles. A candle that was closed only by the clock is returned once a newer candle is
   * shown.
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
    // If the candles are older than the series, the last one may have been forming when they were fetched.
    const closed = hasEnded && !isOld ? [...candles] : candles.slice(0, -1)
    // The forming candle is closed, though its end was not shown. Its last known state counts until it is fetched again.
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

  /** Candles whose end the exchange has shown: the changed candles, and the previously unproven candle `before`. */
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

  /** Whether the series has the same candle. A candle before the first one is beyond the depth, so it counts as known. */
  #isKnown(candle: Candle): boolean {
    const at = countBefore(this.#columns, this.#closed, candle.timestamp)
    if (at === this.#closed || this.#timestamp(at) !== candle.timestamp) return at === 0
    return isSame(candle, this.#columns.read(at))
  }

  /** Starts new columns in which the given closed candles, ascending, replace candles of the same time or are inserted. */
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

  /** Copies `count` closed candles from index `from` on to new columns. Earlier snapshots keep the old columns. */
  #copyToNewColumns(from: number, count: number): void {
    const columns = Columns.replacing(this.#columns, capacityFor(count + 1))
    for (const name of columnNames) columns[name].set(this.#columns[name].subarray(from, from + count))
    this.#columns = columns
    this.#closed = count
  }
}

export function capacityFor(count: number): number {
  let capacity = minCapacity
  while (capacity < count) capacity *= 2
  return capacity
}
