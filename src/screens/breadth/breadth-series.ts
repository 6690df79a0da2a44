import type { Candle } from '../../candles/candle.js'
import { Columns, type Snapshot } from '../../candles/columns.js'
import {
  type Aggregate,
  aggregateColumns,
  type Measure,
  marketsColumn,
} from '../../compute/expressions/measures.js'
import type { Resumable } from '../../runtime/scheduler.js'
import { scheduler } from '../../runtime/scheduler.js'

/** The values of one market: by output one for each candle, aligned with `timestamp`. Conditions are 1 and 0, undefined ones NaN. */
export interface MarketValues {
  readonly timestamp: Float64Array
  readonly outputs: readonly Float64Array[]
}

/** The values of a market at one candle; NaN where one is undefined. */
interface MarketCandle {
  readonly time: number
  readonly values: Float64Array
}

/** Candles that are made before the time of a turn is looked at. */
const candlesOfLook = 50
/** Candles of a market that are filled in before it is; the first ones after a start take twenty times as long as others. */
export const candlesOfStep = 250

/** Candles for which columns have room that are not there yet. */
const spareCandles = 500

/**
 * The open time until which candles are closed over all markets, given what is in memory of each: the newest candle that a market
 * has closed, or what came before that while another market shows it as forming. A market that shows an older candle as forming does
 * not keep the others waiting: that candle is over, and counts as it is.
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
 * Measures over the values of many markets, as candles on one axis of time: what is made of all markets at a time are the columns of
 * a candle. First it is filled with the values of all markets, one after the other; then it goes on with what is new of each. Sums are
 * over the markets in the same order in both cases, and so the same bit for bit.
 */
export class BreadthSeries {
  readonly #measures: readonly Measure[]
  /** How many outputs each market has. */
  readonly #width: number
  /** By measure. */
  #columns: readonly Columns[] = []
  #forming: readonly (Candle | undefined)[] = []
  #closed = 0
  /** The open time until which candles are closed. */
  #until: number
  /** While it is filled: by time, the sum of each output and then how many markets have it. */
  #sums = new Map<number, Float64Array>()
  /** By symbol, what the markets have after the closed candles, and their newest one. */
  readonly #newest = new Map<string, MarketCandle[]>()

  constructor(measures: readonly Measure[], width: number, until: number) {
    this.#measures = measures
    this.#width = width
    this.#until = until
  }

  /** Adds all values of one more market. */
  *fill(symbol: string, { timestamp, outputs }: MarketValues): Resumable {
    const last = timestamp.length - 1
    const newest: MarketCandle[] = []
    for (const [i, time] of timestamp.entries()) {
      if (i % candlesOfStep === 0) yield
      if (time > this.#until || i === last) newest.push({ time, values: valuesAt(outputs, i) })
      if (time > this.#until) continue
      let sums = this.#sums.get(time)
      if (!sums) {
        sums = new Float64Array(2 * this.#width)
        this.#sums.set(time, sums)
      }
      for (let k = 0; k < this.#width; k++) add(sums, this.#width, k, outputs[k]?.[i] as number)
    }
    this.#newest.set(symbol, newest)
  }

  /** To be called when all markets are filled in; nothing else may be called before it has ended. */
  async finish(): Promise<void> {
    const times = Float64Array.from(this.#sums.keys()).sort()
    this.#columns = this.#measures.map(() => new Columns(times.length + spareCandles))
    for (const [i, time] of times.entries()) {
      if (i % candlesOfLook === 0) await scheduler.slice('screens')
      this.#close(time, this.#sums.get(time) as Float64Array)
    }
    this.#sums.clear()
    this.#form()
  }

  /**
   * Takes the newest values of a market that have come or changed, oldest first. False where one of a closed candle is another
   * one: then all has to be filled anew.
   */
  update(symbol: string, { timestamp, outputs }: MarketValues): boolean {
    const newest = this.#newest.get(symbol)
    if (!newest) return false
    for (const [i, time] of timestamp.entries()) {
      const candle = { time, values: valuesAt(outputs, i) }
      const at = newest.findIndex(each => each.time >= time)
      const known = at < 0 ? undefined : newest[at]
      if (time <= this.#until) {
        if (known?.time !== time || !isSame(known.values, candle.values)) return false
      } else if (known?.time === time) newest[at] = candle
      else if (known) return false
      else newest.push(candle)
    }
    return true
  }

  /** Closes the candles until an open time. False where there is no room for them: then all has to be filled anew. */
  advance(until: number): boolean {
    const times = this.#openTimes().filter(time => time <= until)
    if (this.#closed + times.length > (this.#columns[0]?.capacity ?? 0)) return false
    for (const time of times) this.#close(time, this.#sumAt(time))
    this.#until = Math.max(this.#until, until)
    for (const [symbol, candles] of this.#newest)
      this.#newest.set(
        symbol,
        candles.filter(({ time }, k) => time > this.#until || k === candles.length - 1),
      )
    this.#form()
    return true
  }

  /** When the first candle opens that is not closed; undefined where none is forming. */
  get formingTime(): number | undefined {
    return this.#forming[0]?.timestamp
  }

  /** When the newest closed candle opens; undefined where there is none. */
  get closedTime(): number | undefined {
    return this.#closed === 0 ? undefined : this.#columns[0]?.timestamp[this.#closed - 1]
  }

  /** The candles of a measure. `isFull` where older ones of the markets may exist. */
  snapshotOf(measure: number, isFull: boolean): Snapshot {
    const forming = this.#forming[measure]
    const columns = this.#columns[measure] as Columns
    return { columns, closed: this.#closed, forming, count: this.#closed + (forming ? 1 : 0), isFull }
  }

  #openTimes(): readonly number[] {
    const times = new Set<number>()
    for (const candles of this.#newest.values())
      for (const { time } of candles) if (time > this.#until) times.add(time)
    return [...times].sort((a, b) => a - b)
  }

  #sumAt(time: number): Float64Array {
    const sums = new Float64Array(2 * this.#width)
    for (const candles of this.#newest.values()) {
      const values = candles.find(each => each.time === time)?.values
      for (let k = 0; values && k < this.#width; k++) add(sums, this.#width, k, values[k] as number)
    }
    return sums
  }

  #close(time: number, sums: Float64Array): void {
    for (const [k, measure] of this.#measures.entries())
      this.#columns[k]?.write(this.#closed, candleOf(measure, time, sums, this.#width))
    this.#closed++
  }

  /** The first candle after the closed ones is the forming one. Later ones wait until it has closed. */
  #form(): void {
    const [time] = this.#openTimes()
    const sums = time === undefined ? undefined : this.#sumAt(time)
    this.#forming = this.#measures.map(measure =>
      time === undefined || !sums ? undefined : candleOf(measure, time, sums, this.#width),
    )
  }
}

const valuesAt = (outputs: MarketValues['outputs'], i: number): Float64Array =>
  Float64Array.from(outputs, values => values[i] as number)

/** Adds a value of output `k`, and counts it, where it is defined. */
function add(sums: Float64Array, width: number, k: number, value: number): void {
  if (Number.isNaN(value)) return
  sums[k] = (sums[k] as number) + value
  sums[width + k] = (sums[width + k] as number) + 1
}

const isSame = (a: Float64Array, b: Float64Array): boolean => a.every((value, k) => Object.is(value, b[k]))

/** What is made of all markets at a time, as the columns of a candle. */
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
