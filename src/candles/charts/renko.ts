import type { Candle } from '../candle.js'
import { type BarMaker, type BarRun, bodyOf, lastUpTo, noBars, tidy } from './bar-maker.js'
import type { BrickSize } from './chart.js'
import { addTo, averageOf, noTrueRange } from './true-range.js'

/** An average range is rounded to so many digits, so that what is left of the beginning of a history moves no brick. */
const sizeDigits = 2

/**
 * Renko bricks by closes. The levels are the multiples of the size. A brick continues when a close reaches the next level,
 * and turns when it reaches the second level on the other side, so that it begins one size away from the last close. The
 * first brick is completed by the first close that reaches a level around the first one.
 *
 * A size that follows the average true range (Wilder) is fixed anew with each candle that completes bricks: it is that of this candle, in two
 * significant digits, for the bricks after it. They go on from the level of the new size that the close has reached. No
 * later candle changes a brick.
 * Source: Nison, Beyond Candlesticks (1994), chapter 7; StockCharts ChartSchool, Renko Charts; levels as in stocktrends (PERIOD_CLOSE).
 */
export class Renko implements BarMaker {
  /** Candles of the average true range; undefined for a size that stays. */
  readonly #period: number | undefined
  readonly state = {
    /** NaN until it is known. */
    size: Number.NaN,
    range: noTrueRange(),
    /** The levels that complete the next brick upwards and downwards, and their prices: NaN before the first close. */
    upper: Number.NaN,
    lower: Number.NaN,
    upperPrice: Number.NaN,
    lowerPrice: Number.NaN,
  }

  constructor(size: BrickSize) {
    if ('price' in size) this.state.size = size.price
    this.#period = 'atr' in size ? size.atr : undefined
  }

  close(candle: Candle): readonly BarRun[] {
    const { state } = this
    if (this.#period !== undefined) addTo(state.range, this.#period, candle)
    const { close } = candle
    if (close < state.upperPrice && close > state.lowerPrice) return noBars
    const { size, upper, lower } = state
    const isFirst = Number.isNaN(upper)
    const isUp = close >= state.upperPrice
    const count = isUp ? this.#floor(close) - upper + 1 : lower - this.#ceil(close) + 1
    this.#resize()
    if (isFirst) this.#setLevels(this.#floor(close) + 1, this.#ceil(close) - 1)
    else if (isUp) this.#setLevels(this.#floor(close) + 1, this.#floor(close) - 2)
    else this.#setLevels(this.#ceil(close) + 2, this.#ceil(close) - 1)
    if (isFirst) return noBars
    const brick = (from: number, to: number) => bodyOf(tidy(from * size), tidy(to * size))
    const bar = (j: number) => (isUp ? brick(upper + j - 1, upper + j) : brick(lower - j + 1, lower - j))
    return [{ count, bar }]
  }

  #resize(): void {
    if (this.#period === undefined) return
    const size = Number(averageOf(this.state.range, this.#period).toPrecision(sizeDigits))
    if (size > 0) this.state.size = size
  }

  #setLevels(upper: number, lower: number): void {
    const { size } = this.state
    Object.assign(this.state, {
      upper,
      lower,
      upperPrice: tidy(upper * size),
      lowerPrice: tidy(lower * size),
    })
  }

  /** The highest level that is not above a price. */
  #floor(price: number): number {
    return lastUpTo(price, price / this.state.size, k => tidy(k * this.state.size))
  }

  /** The lowest level that is not below it. */
  #ceil(price: number): number {
    return -this.#floor(-price)
  }
}
