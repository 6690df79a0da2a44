import { Column } from '../frame'

/**
 * The newest prices at which fair value gaps begin that the close has not passed. A view of the kernel's state; its size is
 * `GapLevels.size` and the most levels it may hold.
 *
 *   ├─ how many ─┼─ candles without any ─┼─ the levels, the oldest first ─┤
 */
@unmanaged
export class GapLevels {
  private count: f64
  /** Candles since there were some; −1 where there never were. */
  private age: f64

  static readonly size: i32 = 2

  @inline
  static of(state: Column): GapLevels {
    return changetype<GapLevels>(state)
  }

  reset(most: i32): void {
    this.count = 0
    this.age = -1
    for (let k = 0; k < most; k++) this.levels[k] = 0
  }

  /** Adds a level and forgets the oldest one where there are more than `most`. */
  add(price: f64, most: i32): void {
    const levels = this.levels
    let count = <i32>this.count
    if (count === most) {
      count--
      for (let k = 0; k < count; k++) levels[k] = levels[k + 1]
    }
    levels[count] = price
    this.count = <f64>(count + 1)
  }

  /** Removes the levels above `close`, or with `sign` −1 those below it. */
  remove(close: f64, sign: f64): void {
    const levels = this.levels
    let kept: i32 = 0
    for (let k = 0; k < <i32>this.count; k++) {
      const level = levels[k]
      if ((level - close) * sign > 0) continue
      levels[kept] = level
      kept++
    }
    this.count = <f64>kept
  }

  /** The mean of the levels; without any that of the closes since there were some, at least one and at most `most`. */
  mean(close: Column, i: i32, most: i32): f64 {
    const count = <i32>this.count
    let sum: f64 = 0
    if (count > 0) {
      this.age = 0
      for (let k = 0; k < count; k++) sum += this.levels[k]
      return sum / <f64>count
    }
    if (this.age >= 0) this.age += 1
    const size = min(max(<i32>this.age, 1), most)
    for (let k = size - 1; k >= 0; k--) sum += close[i - k]
    return sum / <f64>size
  }

  @inline
  private get levels(): Column {
    return changetype<Column>(this).from(GapLevels.size)
  }
}
