import type { Candle } from '../candle.js'
import { Columns, columnNames, countBefore, type Snapshot } from '../columns.js'
import type { Derived } from '../lineage.js'
import { capacityFor } from '../series.js'
import type { BarMaker, BarRun } from './bar-maker.js'
import type { Chart } from './chart.js'
import { heikinAshi } from './heikin-ashi.js'
import { LineBreak } from './line-break.js'
import { RangeBars } from './range-bars.js'
import { Renko } from './renko.js'

/** The most bars that close by prices, over a series in memory and over candles of a request: a small size would make millions. */
export const maxBars = { shared: 8_192, unshared: 2_048 } as const

/** What makes the bars of a chart; undefined where each candle has its own, also the forming one. */
const makerOf = (chart: Chart): BarMaker | undefined => {
  switch (chart.kind) {
    case 'heikinashi':
      return undefined
    case 'renko':
      return new Renko(chart.size)
    case 'range':
      return new RangeBars(chart.size)
    case 'linebreak':
      return new LineBreak(chart.lines)
  }
}

/** The bars that one candle completes. */
interface Completed {
  readonly runs: readonly BarRun[]
  /** How many there are. */
  readonly count: number
  /** The open time of the candle. */
  readonly time: number
  /** The volume since the last bar. */
  readonly volume: number
}

/**
 * The bars of a chart over one series of candles, to which each closed candle adds. A bar is never changed. Its time is the
 * open time of the candle that completes it, so several bars that one candle completes have the same one; all of them are there, or none. They share
 * equally the volume of the candles since the last bar.
 */
export class BarSeries implements Derived {
  /** The id of the columns of candles of which the bars are. */
  readonly sourceId: number
  readonly #maker: BarMaker | undefined
  readonly #most: number
  #columns: Columns
  #closed = 0
  /** The number of bars before the first one of the columns. */
  #first = 0
  /** The number of candles that are included. */
  #included = 0
  /** The volume since the last bar. */
  #volume = 0
  /** The last source, with its bars. */
  #source: Pick<Snapshot, 'closed' | 'forming'> | undefined
  #snapshot: Snapshot | undefined

  /** `replaced` are the bars of the candles that those of the source replace. */
  constructor(chart: Chart, { columns }: Snapshot, replaced?: BarSeries) {
    this.sourceId = columns.id
    this.#maker = makerOf(chart)
    this.#most = columns.isShared ? maxBars.shared : maxBars.unshared
    // With one bar for each candle the columns are full when those of the candles are.
    const capacity = this.#maker ? capacityFor(0) : columns.capacity
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
    if (this.#maker) this.#append(this.#completedBy(this.#maker, columns, closed))
    else this.#writeCandles(columns, closed)
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
    const forming = this.#maker || !source.forming ? undefined : this.#heikinAshi(source.forming, closed)
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

  #writeCandles(columns: Columns, closed: number): void {
    let before: Candle | undefined
    for (; this.#closed < closed; this.#closed++) {
      const candle = columns.read(this.#closed)
      before = before ? { ...candle, ...heikinAshi(candle, before) } : this.#heikinAshi(candle, this.#closed)
      this.#columns.write(this.#closed, before)
    }
    this.#included = Math.max(this.#included, closed)
  }

  /** What the first `closed` candles complete that are not included yet. */
  #completedBy(maker: BarMaker, columns: Columns, closed: number): Completed[] {
    const completed: Completed[] = []
    for (; this.#included < closed; this.#included++) {
      const candle = columns.read(this.#included)
      this.#volume += candle.volume
      const runs = maker.close(candle)
      if (runs.length === 0) continue
      const count = runs.reduce((sum, run) => sum + run.count, 0)
      completed.push({ runs, count, time: candle.timestamp, volume: this.#volume })
      this.#volume = 0
    }
    return completed
  }

  /** Writes the bars that are kept. */
  #append(completed: readonly Completed[]): void {
    let at = this.#first + this.#closed
    const end = completed.reduce((sum, { count }) => sum + Math.min(count, this.#most), at)
    this.#makeRoom(this.#firstOf(end), end)
    for (const each of completed) {
      this.#write(each, Math.max(0, this.#first - at))
      at += Math.min(each.count, this.#most)
    }
  }

  /** Writes the bars of one candle but for the first `skipped` ones. Of a candle that completes very many, only the newest are bars. */
  #write({ runs, count, time: timestamp, volume }: Completed, skipped: number): void {
    const bars = Math.min(count, this.#most)
    let at = bars - count
    for (const { count: length, bar } of runs) {
      for (let j = Math.max(0, skipped - at); j < length; j++)
        this.#columns.write(this.#closed++, { timestamp, ...bar(j), volume: volume / bars })
      at += length
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
