import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Kendall Rank Correlation (tau-b): over all pairs of the last `period` candles, the number in which two columns differ
 * in the same direction minus the number in which they differ in opposite directions, divided by √(a·b), where a and b
 * count the pairs in which each column differs.
 * The columns are high and low by default; 0 where one of them is flat. QuanTAlib divides by all pairs (tau-a).
 * Source: Kendall, Rank Correlation Methods (1948); scipy.stats.kendalltau.
 */
export function kendall(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const y = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const pairs = PairCounts.of(frame.state)
  if (from === 0) pairs.reset()
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    const oldest = max(i - period + 1, 0)
    if (i >= period) {
      const isLeft = i > from
      pairs.count(
        x,
        y,
        oldest,
        i,
        isLeft ? x[i - period] : pairs.xLeaving,
        isLeft ? y[i - period] : pairs.yLeaving,
        -1,
      )
    }
    pairs.count(x, y, oldest, i, x[i], y[i], 1)
    if (i >= first) out[i] = pairs.coefficient
  }
  pairs.xLeaving = to < period ? NaN : x[to - period]
  pairs.yLeaving = to < period ? NaN : y[to - period]
}

/** The pairs of the candles of a window, counted. A view of the kernel's state: its size is in the catalogue. */
@unmanaged
class PairCounts {
  /**
   * Number of pairs that differ in the same direction in both columns, minus the number that differ in opposite
   * directions.
   */
  private same: f64
  private xDiffer: f64
  private yDiffer: f64
  /** Number of candles of the window with a missing value. */
  private missing: f64
  /** The candle that leaves the window with the next one. */
  xLeaving: f64
  yLeaving: f64

  @inline
  static of(state: Column): PairCounts {
    return changetype<PairCounts>(state)
  }

  reset(): void {
    this.same = 0
    this.xDiffer = 0
    this.yDiffer = 0
    this.missing = 0
  }

  get coefficient(): f64 {
    if (this.missing > 0) return NaN
    if (this.xDiffer === 0 || this.yDiffer === 0) return 0
    return this.same / sqrt(this.xDiffer * this.yDiffer)
  }

  /** Adds the pairs of a candle with those in [from, to), or subtracts them if `sign` is −1. */
  count(x: Column, y: Column, from: i32, to: i32, a: f64, b: f64, sign: i32): void {
    let same: i32 = 0
    let xDiffer: i32 = 0
    let yDiffer: i32 = 0
    for (let j = from; j < to; j++) {
      const xSide = i32(x[j] > a) - i32(x[j] < a)
      const ySide = i32(y[j] > b) - i32(y[j] < b)
      same += xSide * ySide
      xDiffer += xSide & 1
      yDiffer += ySide & 1
    }
    this.same += <f64>(sign * same)
    this.xDiffer += <f64>(sign * xDiffer)
    this.yDiffer += <f64>(sign * yDiffer)
    if (isNaN(a) || isNaN(b)) this.missing += <f64>sign
  }
}
