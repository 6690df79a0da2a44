import type { Candle } from '../candle.js'
import { type BarMaker, type BarPrices, type BarRun, bodyOf, lastUpTo, tidy } from './bar-maker.js'

/**
 * Range bars: each is `size` from its low to its high, closes at one of these, and the next one opens there. Within a
 * candle the price is taken to go from its open to the extreme that is nearer, to the other one and to the close (where both are
 * as near, against the direction of the candle first), and from one candle to the next without a jump. So highs and lows count,
 * which closes alone would miss; the order of trades within a candle is not known.
 * Source: Nicolellis, range bars (1995), as in TradingView, Range charts; the path as in TradingView, Broker Emulator.
 */
export class RangeBars implements BarMaker {
  readonly #size: number
  /** The bar that is not complete; NaN before the first candle. */
  readonly state = { open: Number.NaN, high: Number.NaN, low: Number.NaN }

  constructor(size: number) {
    this.#size = size
  }

  close({ open, high, low, close }: Candle): readonly BarRun[] {
    if (Number.isNaN(this.state.open)) this.#begin(open)
    const runs: BarRun[] = []
    const rise = high - open
    const fall = open - low
    const isHighFirst = rise < fall || (rise === fall && close < open)
    this.#move(open, runs)
    this.#move(isHighFirst ? high : low, runs)
    this.#move(isHighFirst ? low : high, runs)
    this.#move(close, runs)
    return runs
  }

  #begin(open: number): void {
    this.state.open = this.state.high = this.state.low = open
  }

  /** Moves the price, and adds the bars that this completes. */
  #move(price: number, runs: BarRun[]): void {
    const [open, high, low] = [this.state.open, this.state.high, this.state.low]
    if (price > high) {
      const count = this.#countTo(price, low, 1)
      if (count > 0) runs.push({ count, bar: j => this.#bar(j, open, low, 1) })
      if (count > 0) this.#begin(tidy(low + count * this.#size))
      this.state.high = Math.max(price, this.state.high)
    } else if (price < low) {
      const count = this.#countTo(price, high, -1)
      if (count > 0) runs.push({ count, bar: j => this.#bar(j, open, high, -1) })
      if (count > 0) this.#begin(tidy(high - count * this.#size))
      this.state.low = Math.min(price, this.state.low)
    }
  }

  /** How many bars a price completes, upwards from a low or downwards from a high. */
  #countTo(price: number, begin: number, sign: 1 | -1): number {
    const size = this.#size
    const guess = (sign * (price - begin)) / size
    return guess < 0.5 ? 0 : lastUpTo(sign * price, guess, k => sign * tidy(begin + sign * k * size))
  }

  /** Bar `j` of those that begin with the present one. */
  #bar(j: number, open: number, begin: number, sign: 1 | -1): BarPrices {
    const close = tidy(begin + sign * (j + 1) * this.#size)
    if (j > 0) return bodyOf(tidy(begin + sign * j * this.#size), close)
    return { open, high: Math.max(begin, close), low: Math.min(begin, close), close }
  }
}
