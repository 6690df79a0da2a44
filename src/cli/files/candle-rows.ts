import type { Candle } from '../../candles/candle.js'
import { columnNames } from '../../candles/columns.js'
import { type Gap, gapsIn } from '../../candles/gaps.js'
import type { Timeframe } from '../../candles/timeframe.js'
import { unpackCandles } from '../../markets/exchanges/packed-candles.js'
import { defaultRowsInMemory, RowFile } from './row-file.js'

/** The numbers of a candle, in the order of `columnNames`. */
export const candleWidth = columnNames.length

/** Candles that are read at a time. */
const pieceCandles = 4096

/** Any number of ascending candles, of which memory holds a part. */
export class CandleRows {
  readonly #rows: RowFile
  #first = 0

  constructor(rowsInMemory = defaultRowsInMemory) {
    this.#rows = new RowFile(candleWidth, rowsInMemory)
  }

  get count(): number {
    return this.#rows.count - this.#first
  }

  /** Adds a candle, whose numbers begin at an index of others. */
  add(numbers: Float64Array, at: number): void {
    const to = this.#rows.next()
    const { memory } = this.#rows
    for (let k = 0; k < candleWidth; k++) memory[to + k] = numbers[at + k] as number
  }

  /** Drops the oldest candles where there are more than so many. Answers how many were dropped. */
  dropOldest(most: number): number {
    const dropped = Math.max(0, this.count - most)
    this.#first += dropped
    return dropped
  }

  timeOf(at: number): number {
    return this.#numbers(at, at + 1)[0] as number
  }

  /** The index of the first candle that opens after a time. */
  indexAfter(time: number): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.timeOf(middle) <= time) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The candles from `from` on and before `to`. */
  read(from: number, to: number): Candle[] {
    return unpackCandles(this.#numbers(from, to))
  }

  /** The numbers of all candles, one candle after the other, some at a time. */
  *pieces(): Generator<Float64Array> {
    for (let from = 0; from < this.count; from += pieceCandles)
      yield this.#numbers(from, Math.min(from + pieceCandles, this.count))
  }

  *gaps(timeframe: Timeframe): Generator<Gap> {
    let last: readonly number[] = []
    for (const piece of this.pieces()) {
      const opens = piece.filter((_, at) => at % candleWidth === 0)
      const times = [...last, ...opens]
      yield* gapsIn(times, times.length, timeframe)
      last = times.slice(-1)
    }
  }

  close(): void {
    this.#rows.close()
  }

  #numbers(from: number, to: number): Float64Array {
    return this.#rows.read(this.#first + from, this.#first + to)
  }
}
