import { Column } from '../../frame'
import { isPivot } from './pivots'

/** Effect of a candle on the structure; the number is negative where the candle breaks a swing low. */
export const breakOfStructure: i32 = 1
export const changeOfCharacter: i32 = 2

/**
 * The last confirmed swing of each side, whether it was broken, and the trend that the breaks set. A view of the state. Its
 * size must equal that in src/catalogue/structure/swings.ts.
 */
@unmanaged
export class Swings {
  /** The price of the last swing high; NaN before the first one. */
  high: f64
  low: f64
  /** The price of the last swing high until a candle breaks it, NaN afterwards. */
  private unbrokenHigh: f64
  private unbrokenLow: f64
  /** 1 up, −1 down, 0 neither. */
  trend: f64

  @inline
  static of(state: Column): Swings {
    return changetype<Swings>(state)
  }

  /** Removes all swings. */
  reset(): void {
    this.high = NaN
    this.low = NaN
    this.unbrokenHigh = NaN
    this.unbrokenLow = NaN
    this.trend = 0
  }

  /** Adds the swings that candle `i` confirms, at `i − right`; there must be `left + right` candles before it. */
  confirm(highs: Column, lows: Column, i: i32, left: i32, right: i32): void {
    const j = i - right
    if (isPivot(highs, j, left, right, 1)) {
      this.high = highs[j]
      this.unbrokenHigh = highs[j]
    }
    if (isPivot(lows, j, left, right, -1)) {
      this.low = lows[j]
      this.unbrokenLow = lows[j]
    }
  }

  /** Whether `price` is the first one above the last swing high. */
  breaksHigh(price: f64): bool {
    if (!(price > this.unbrokenHigh)) return false
    this.unbrokenHigh = NaN
    return true
  }

  /** Whether `price` is the first one below the last swing low. */
  breaksLow(price: f64): bool {
    if (!(price < this.unbrokenLow)) return false
    this.unbrokenLow = NaN
    return true
  }

  /**
   * Processes the highest and the lowest price that count as a break and returns their effect: a break of structure, a
   * change of character, or 0. A candle that breaks both swings has no effect and ends the trend.
   */
  advance(highest: f64, lowest: f64): i32 {
    const isAbove = this.breaksHigh(highest)
    const isBelow = this.breaksLow(lowest)
    if (!isAbove && !isBelow) return 0
    const side = isAbove === isBelow ? 0 : isAbove ? 1 : -1
    const before = <i32>this.trend
    this.trend = <f64>side
    return side * (before === -side ? changeOfCharacter : breakOfStructure)
  }
}
