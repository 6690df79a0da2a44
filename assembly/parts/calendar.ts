import { Column } from '../frame'

/**
 * High, low and close of a calendar period of fixed length as they come together, and those of the period before. A
 * view of the kernel's state.
 */
@unmanaged
export class Period {
  private end: f64
  private high: f64
  private low: f64
  private close: f64
  /** 1 if the period was seen from its beginning, or at least followed another one. */
  private isWhole: f64
  /** Of the period before the running one; NaN while there is none that was seen whole. */
  highBefore: f64
  lowBefore: f64
  closeBefore: f64

  /** The numbers that a period takes in the state. */
  static readonly size: i32 = 8

  @inline
  static of(state: Column): Period {
    return changetype<Period>(state)
  }

  /** Forgets everything. */
  reset(): void {
    this.end = -Infinity
    this.high = 0
    this.low = 0
    this.close = 0
    this.isWhole = 0
    this.highBefore = NaN
    this.lowBefore = NaN
    this.closeBefore = NaN
  }

  /** Takes in a candle that opened at `time`; periods are `length` seconds long and counted from `origin`. */
  take(time: f64, origin: f64, length: f64, high: f64, low: f64, close: f64): void {
    if (time < this.end) {
      if (high > this.high) this.high = high
      if (low < this.low) this.low = low
      this.close = close
      return
    }
    const isFirst = this.end === -Infinity
    const isWhole = this.isWhole !== 0
    this.highBefore = isWhole ? this.high : NaN
    this.lowBefore = isWhole ? this.low : NaN
    this.closeBefore = isWhole ? this.close : NaN
    const start = floor((time - origin) / length) * length + origin
    this.isWhole = isFirst && time !== start ? 0 : 1
    this.end = start + length
    this.high = high
    this.low = low
    this.close = close
  }
}
