import type { Candle } from '../candle.js'
import { Columns, columnNames, countBefore, type Snapshot } from '../columns.js'
import type { Derived } from '../lineage.js'
import { capacityFor } from '../series.js'
import { BarFlow, type CompletedBars, maxBarsOfCandle, writeBars } from './bar-flow.js'
import { type Chart, hasCandleTimes } from './chart.js'
import { heikinAshi } from './heikin-ashi.js'

/** The most bars that close by prices, over a series in memory and over candles of a request: a small size would make millions. */
export const maxBars = { shared: maxBarsOfCandle, unshared: 2_048 } as const

/**
 * The bars of a chart over one series of candles, to which each closed candle adds. A bar is never changed. Of
 * bars that close by prices, the oldest are dropped where there are too many.
 */
export class BarSeries implements Derived {
  /** The id of the columns of candles of which the bars are. */
  readonly sourceId: number
  readonly #flow: BarFlow
  /** Whether each candle has its own bar, also the forming one. */
  readonly #hasEach: boolean
  readonly #most: number
  #columns: Columns
  #closed = 0
  /** The number of bars before the first one of the columns. */
  #first = 0
  /** The number of candles that are included. */
  #included = 0
  /** The last source, with its bars. */
  #source: Pick<Snapshot, 'closed' | 'forming'> | undefined
  #snapshot: Snapshot | undefined

  /** `replaced` are the bars of the candles that those of the source replace. */
  constructor(chart: Chart, { columns }: Snapshot, replaced?: BarSeries) {
    this.sourceId = columns.id
    this.#flow = new BarFlow(chart)
    this.#hasEach = hasCandleTimes(chart)
    const most = columns.isShared ? maxBars.shared : maxBars.unshared
    this.#most = this.#hasEach ? Number.POSITIVE_INFINITY : most
    // With one bar for each candle the columns are full when those of the candles are.
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

  /** How many closed candles of these columns are not included yet. */
  lacks({ closed }: Snapshot): number {
    return Math.max(0, closed - this.#included)
  }

  /** Takes closed candles of these columns that are not included yet, at most so many. Answers whether any are left. */
  include({ columns, closed: all }: Snapshot, most = Number.POSITIVE_INFINITY): boolean {
    const closed = Math.min(all, this.#included + most)
    this.#append(this.#completedBy(columns, closed))
    return closed < all
  }

  /** The bars of candles of these columns, as they were or are; undefined where they are not there any more. */
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

  /** The bars as they were when there were fewer candles. */
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

  /** The first bar that is kept of so many: of too many, a quarter is dropped. */
  #firstOf(count: number): number {
    const dropped = this.#most / 4
    return count <= this.#most ? 0 : Math.ceil((count - this.#most) / dropped) * dropped
  }

  /** The Heikin-Ashi candle of a candle after so many. */
  #heikinAshi(candle: Candle, at: number): Candle {
    return { ...candle, ...heikinAshi(candle, at > 0 ? this.#columns.read(at - 1) : undefined) }
  }

  /** What the first `closed` candles complete that are not included yet. */
  #completedBy(columns: Columns, closed: number): CompletedBars[] {
    const completed: CompletedBars[] = []
    for (; this.#included < closed; this.#included++) {
      const bars = this.#flow.close(columns.read(this.#included))
      if (bars) completed.push(bars)
    }
    return completed
  }

  /** Writes the bars that are kept. */
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

  /** Drops the bars before `first`, and makes room for those before `end`. */
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
