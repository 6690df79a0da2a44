import { Column } from '../frame'

/**
 * The running leg of a zigzag, and the extremes that may become its ends. A view of the state.
 * src/catalogue/structure-swings.ts says the same size.
 */
@unmanaged
export class Leg {
  /** 1 up, −1 down, 0 before the first turning point. */
  direction: f64
  /** The highest price since the leg began; only while it may become a turning point. */
  private top: f64
  private bottom: f64

  @inline
  static of(state: Column): Leg {
    return changetype<Leg>(state)
  }

  reset(): void {
    this.direction = 0
    this.top = -Infinity
    this.bottom = Infinity
  }

  /**
   * Takes in the top and the bottom of a candle. A reversal is at least `share` of the extreme plus `distance`. Returns
   * the price of the turning point that the candle confirms, or NaN; `direction` is that of the new leg then.
   */
  advance(top: f64, bottom: f64, share: f64, distance: f64): f64 {
    let isHigh = false
    let isLow = false
    if (this.direction >= 0) {
      if (top > this.top) this.top = top
      else isHigh = bottom <= this.top - abs(this.top) * share - distance
    }
    if (this.direction <= 0) {
      if (bottom < this.bottom) this.bottom = bottom
      else isLow = top >= this.bottom + abs(this.bottom) * share + distance
    }
    if (isHigh === isLow) return NaN
    const price = isHigh ? this.top : this.bottom
    this.direction = isHigh ? -1 : 1
    this.top = top
    this.bottom = bottom
    return price
  }
}
