import type { Candle } from '../candle.js'
import { Columns, columnNames, countBefore, type Derived, type Snapshot } from '../columns.js'
import { capacityFor } from '../series.js'
import { BarFlow, type CompletedBars, maxBarsOfCandle, writeBars } from './bar-flow.js'
import { type Chart, hasCandleTimes } from './chart.js'
import { heikinAshi } from './heikin-ashi.js'

/**
 * Maximum number of bars of price-based charts, for a series in memory and for candles of a request. A small size would make
 * millions.
 */
export const maxBars = { shared: maxBarsOfCandle, unshared: 2_048 } as const

/**
 * Bars of a chart over one series of candles. Each closed candle may add bars, and no bar changes. Of price-based bars, the oldest
 * are dropped if there are too many.
 */
export class BarSeries implements Derived {
  readonly sourceId: number
  readonly #flow: BarFlow
  /** Whether each candle has its own bar, including the forming candle. */
  readonly #hasEach: boolean
  readonly #most: number
  #columns: Columns
  #closed = 0
  /** Number of dropped bars before the first bar of the columns. */
  #first = 0
  /** Number of processed candles. */
  #included = 0
  /** Last source, whose bars are in `#snapshot`. */
  #source: Pick<Snapshot, 'closed' | 'forming'> | undefined
  #snapshot: Snapshot | undefined

  /** `replaced` has the bars of the candles that the source candles replace. */
  constructor(chart: Chart, { columns }: Snapshot, replaced?: BarSeries) {
    this.sourceId = columns.id
    this.#flow = new BarFlow(chart)
    this.#hasEach = hasCandleTimes(chart)
    const most = columns.isShared ? maxBars.shared : maxBars.unshared
    this.#most = this.#hasEach ? Number.POSITIVE_INFINITY : most
    // With one bar per candle, these columns are full when the columns of the candles are full.
    const capacity = this.#hasEach ? columns.capacity : capacityFor(0)
    this.#columns = replaced
      ? Columns.replacing(replaced.#columns, capacity)
      : columns.isShared
        ? new Columns(capacity)
        : Columns.unshared(capacity)
    this.#columns.lineage.owner = this
  }

  get byteLength(): number {
    return this.#columns.buffer.byteLength
  }

  /** Number of closed candles of these columns that are not processed yet. */
  lacks({ closed }: Snapshot): number {
    return Math.max(0, closed - this.#included)
  }

  /** Processes at most `most` further closed candles of these columns. Returns whether any are left. */
  include({ columns, closed: all }: Snapshot, most = Number.POSITIVE_INFINITY): boolean {
    const closed = Math.min(all, this.#included + most)
    this.#append(this.#completedBy(columns, closed))
    return closed < all
  }

  /** Bars of a present or past snapshot of these columns; undefined if some of its bars were dropped. */
  of(source: Snapshot): Snapshot | undefined {
    const { closed, forming } = source
    if (this.#snapshot && this.#source?.closed === closed && this.#source.forming === forming)
      return this.#snapshot
    if (closed < this.#included) return this.#past(source)
    this.include(source)
    this.#source = { closed, forming }
    this.#snapshot = this.#asSnapshot(source, this.#closed)
    return this.#snapshot
  }

  /** Bars of a past snapshot with fewer candles. */
  #past(source: Snapshot): Snapshot | undefined {
    const next = source.columns.timestamp[source.closed] as number
    const closed = countBefore(this.#columns, this.#closed, next)
    return this.#firstOf(this.#first + closed) === this.#first ? this.#asSnapshot(source, closed) : undefined
  }

  #asSnapshot(source: Snapshot, closed: number): Snapshot {
    const columns = this.#columns
    const forming = this.#hasEach && source.forming ? this.#heikinAshi(source.forming, closed) : undefined
    return {
      columns,
      closed,
      forming,
      count: closed + (forming ? 1 : 0),
      isFull: source.isFull === true || this.#first > 0,
    }
  }

  /**
   * Index of the first kept bar if there are `count` bars. Bars beyond the maximum are dropped a quarter of the maximum at a time.
   */
  #firstOf(count: number): number {
    const dropped = this.#most / 4
    return count <= this.#most ? 0 : Math.ceil((count - this.#most) / dropped) * dropped
  }

  #heikinAshi(candle: Candle, at: number): Candle {
    return { ...candle, ...heikinAshi(candle, at > 0 ? this.#columns.read(at - 1) : undefined) }
  }

  /** Processes the candles up to `closed`, and returns the bars that they complete. */
  #completedBy(columns: Columns, closed: number): CompletedBars[] {
    const completed: CompletedBars[] = []
    for (; this.#included < closed; this.#included++) {
      const bars = this.#flow.close(columns.read(this.#included))
      if (bars) completed.push(bars)
    }
    return completed
  }

  #append(completed: readonly CompletedBars[]): void {
    let at = this.#first + this.#closed
    const end = completed.reduce((sum, { count }) => sum + Math.min(count, this.#most), at)
    this.#makeRoom(this.#firstOf(end), end)
    for (const each of completed) {
      const bars = Math.min(each.count, this.#most)
      this.#closed = writeBars(this.#columns, this.#closed, each, bars, Math.max(0, this.#first - at))
      at += bars
    }
  }

  /** Drops the bars before `first`, and makes room for the bars before `end`. */
  #makeRoom(first: number, end: number): void {
    const columns = this.#columns
    const from = Math.min(this.#closed, first - this.#first)
    this.#first = first
    if (from === 0 && end - first <= columns.capacity) return
    const capacity = Math.max(columns.capacity, capacityFor(end - first))
    this.#columns = Columns.replacing(columns, capacity)
    for (const name of columnNames) this.#columns[name].set(columns[name].subarray(from, this.#closed))
    this.#closed -= from
    this.#snapshot = undefined
  }
}
