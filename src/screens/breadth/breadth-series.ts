import type { Candle } from '../../candles/candle.js'
import { Columns, type Snapshot } from '../../candles/columns.js'
import {
  type Aggregate,
  aggregateColumns,
  type Measure,
  marketsColumn,
} from '../../compute/expressions/measures.js'
import { type Resumable, scheduler } from '../../runtime/scheduler.js'

/**
 * Values of one market. Each output has one value per candle, aligned with `timestamp`. Conditions are 1 and 0;
 * undefined values are NaN.
 */
export interface MarketValues {
  readonly timestamp: Float64Array
  readonly outputs: readonly Float64Array[]
}

/** Values of a market at one candle; an undefined value is NaN. */
interface MarketCandle {
  readonly time: number
  readonly values: Float64Array
}

/** Candles computed between two checks of the time slice. */
const candlesOfLook = 50
/**
 * Candles of a market filled between two checks of the time slice. Just after a start, a candle takes twenty times as
 * long as later.
 */
export const candlesOfStep = 250

/** Spare capacity of the columns for future candles. */
const spareCandles = 500

/**
 * Open time up to which candles are closed over all markets, given their snapshots. This is the newest closed candle of
 * any market. While another market shows that candle as forming, it is the time before it. A market whose forming
 * candle is older does not block the others: that candle is over, and counts with its current values.
 */
export function closedUntil(snapshots: Iterable<Snapshot>): number {
  let newest = Number.NEGATIVE_INFINITY
  const forming = new Set<number>()
  for (const { columns, closed, forming: candle } of snapshots) {
    if (closed > 0) newest = Math.max(newest, columns.timestamp[closed - 1] as number)
    if (candle) forming.add(candle.timestamp)
  }
  return forming.has(newest) ? newest - 1 : newest
}

/**
 * Measures over the values of many markets, as candles on one time axis. The columns of a candle are the aggregates of
 * all markets at its time. The series is first filled with all values, market by market, and then updated with new
 * values of each market. Both sum over the markets in the same order, so results are bit-identical.
 */
export class BreadthSeries {
  /** Columns by measure. */
  #columns: readonly Columns[] = []
  #forming: readonly (Candle | undefined)[] = []
  #closed = 0
  /**
   * While filling, sums by open time: the sum of each output, followed by the number of markets with a value of each
   * output.
   */
  #sums = new Map<number, Float64Array>()
  /** Candles of each market after the closed candles, and its newest candle, by symbol. */
  readonly #newest = new Map<string, MarketCandle[]>()

  constructor(
    private readonly measures: readonly Measure[],
    /** Number of outputs per market. */
    private readonly width: number,
    /** Open time up to which candles are closed. */
    private until: number,
  ) {}

  /** Adds all values of one more market. */
  *fill(symbol: string, { timestamp, outputs }: MarketValues): Resumable {
    const last = timestamp.length - 1
    const newest: MarketCandle[] = []
    for (const [i, time] of timestamp.entries()) {
      if (i % candlesOfStep === 0) yield
      if (time > this.until || i === last) newest.push({ time, values: valuesAt(outputs, i) })
      if (time > this.until) continue
      let sums = this.#sums.get(time)
      if (!sums) {
        sums = new Float64Array(2 * this.width)
        this.#sums.set(time, sums)
      }
      for (let k = 0; k < this.width; k++) add(sums, this.width, k, outputs[k]?.[i] as number)
    }
    this.#newest.set(symbol, newest)
  }

  /** Must be called after all markets were filled. No other method may be called until it has ended. */
  async finish(): Promise<void> {
    const times = Float64Array.from(this.#sums.keys()).sort()
    this.#columns = this.measures.map(() => new Columns(times.length + spareCandles))
    for (const [i, time] of times.entries()) {
      if (i % candlesOfLook === 0) await scheduler.slice('screens')
      this.#close(time, this.#sums.get(time) as Float64Array)
    }
    this.#sums.clear()
    this.#form()
  }

  /**
   * Applies the newest new or changed values of a market, oldest first. Returns false if a value of a closed candle has
   * changed: then the series must be refilled.
   */
  update(symbol: string, { timestamp, outputs }: MarketValues): boolean {
    const newest = this.#newest.get(symbol)
    if (!newest) return false
    for (const [i, time] of timestamp.entries()) {
      const candle = { time, values: valuesAt(outputs, i) }
      const at = newest.findIndex(each => each.time >= time)
      const known = at < 0 ? undefined : newest[at]
      if (time <= this.until) {
        if (known?.time !== time || !isSame(known.values, candle.values)) return false
      } else if (known?.time === time) newest[at] = candle
      else if (known) return false
      else newest.push(candle)
    }
    return true
  }

  /** Closes the candles up to an open time. Returns false if the columns are full: then the series must be refilled. */
  advance(until: number): boolean {
    const times = this.#openTimes().filter(time => time <= until)
    if (this.#closed + times.length > (this.#columns[0]?.capacity ?? 0)) return false
    for (const time of times) this.#close(time, this.#sumAt(time))
    this.until = Math.max(this.until, until)
    for (const [symbol, candles] of this.#newest)
      this.#newest.set(
        symbol,
        candles.filter(({ time }, k) => time > this.until || k === candles.length - 1),
      )
    this.#form()
    return true
  }

  get formingTime(): number | undefined {
    return this.#forming[0]?.timestamp
  }

  get closedTime(): number | undefined {
    return this.#closed === 0 ? undefined : this.#columns[0]?.timestamp[this.#closed - 1]
  }

  /** The candles of a measure. `isFull` states whether older candles of the markets may exist. */
  snapshotOf(measure: number, isFull: boolean): Snapshot {
    const forming = this.#forming[measure]
    const columns = this.#columns[measure] as Columns
    return { columns, closed: this.#closed, forming, count: this.#closed + (forming ? 1 : 0), isFull }
  }

  #openTimes(): readonly number[] {
    const times = new Set<number>()
    for (const candles of this.#newest.values())
      for (const { time } of candles) if (time > this.until) times.add(time)
    return [...times].sort((a, b) => a - b)
  }

  #sumAt(time: number): Float64Array {
    const sums = new Float64Array(2 * this.width)
    for (const candles of this.#newest.values()) {
      const values = candles.find(each => each.time === time)?.values
      for (let k = 0; values && k < this.width; k++) add(sums, this.width, k, values[k] as number)
    }
    return sums
  }

  #close(time: number, sums: Float64Array): void {
    for (const [k, measure] of this.measures.entries())
      this.#columns[k]?.write(this.#closed, candleOf(measure, time, sums, this.width))
    this.#closed++
  }

  /** Updates the forming candle: the first one after the closed candles. Later candles wait until it has closed. */
  #form(): void {
    const [time] = this.#openTimes()
    const sums = time === undefined ? undefined : this.#sumAt(time)
    this.#forming = this.measures.map(measure =>
      time === undefined || !sums ? undefined : candleOf(measure, time, sums, this.width),
    )
  }
}

const valuesAt = (outputs: MarketValues['outputs'], i: number): Float64Array =>
  Float64Array.from(outputs, values => values[i] as number)

/** Adds and counts a value of output `k`, if defined. */
function add(sums: Float64Array, width: number, k: number, value: number): void {
  if (Number.isNaN(value)) return
  sums[k] = (sums[k] as number) + value
  sums[width + k] = (sums[width + k] as number) + 1
}

const isSame = (a: Float64Array, b: Float64Array): boolean => a.every((value, k) => Object.is(value, b[k]))

/** Candle whose columns are the aggregates of all markets at a time. */
function candleOf({ aggregates }: Measure, time: number, sums: Float64Array, width: number): Candle {
  const candle = { timestamp: time, open: 0, high: 0, low: 0, close: 0, volume: 0 }
  const counts = aggregates.map(({ output }) => sums[width + output] as number)
  candle[marketsColumn] = counts.length === 0 ? 0 : Math.min(...counts)
  for (const [k, aggregate] of aggregates.entries())
    candle[aggregateColumns[k] as (typeof aggregateColumns)[number]] = aggregateOf(aggregate, sums, width)
  return candle
}

function aggregateOf({ kind, output }: Aggregate, sums: Float64Array, width: number): number {
  const [sum, count] = [sums[output] as number, sums[width + output] as number]
  if (count === 0) return Number.NaN
  return kind === 'breadth' ? sum / count : sum
}
