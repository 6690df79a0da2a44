import type { Candle } from '../candle.js'

/**
 * The average true range of candles that come one after another: the mean of the first `period` true ranges, then Wilder's
 * average. The first candle has none. Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib ATR.
 */
export class TrueRange {
  #before: number | undefined
  #count = 0
  #average = 0

  constructor(readonly period: number) {}

  /** NaN until there are enough candles. */
  get average(): number {
    return this.#count < this.period ? Number.NaN : this.#average
  }

  add({ high, low, close }: Candle): void {
    const before = this.#before
    this.#before = close
    if (before === undefined) return
    const range = Math.max(high, before) - Math.min(low, before)
    const weight = Math.min(++this.#count, this.period)
    this.#average += (range - this.#average) / weight
  }
}
