import { Column } from '../../frame'

/** Numbers of state of a present average: the mean (the sum while seeding), and the values seen while seeding. */
export const presentAverageState = 2

/**
 * Exponential average of the values that are there: NaN where x has none, which changes nothing, and before the
 * `period`th one, where it is the mean of those seen; then mean + alpha·(x − mean). A period of 1 starts as the first
 * value. x and out may be the same column. To be called from candle 0 on.
 */
export function presentAverage(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  alpha: f64,
  state: Column,
): void {
  let mean = from === 0 ? 0 : state[0]
  let seen = from === 0 ? 0 : <i32>state[1]
  const keep = 1 - alpha
  let i = from
  for (; i < to && seen < period; i++) {
    const value = x[i]
    out[i] = NaN
    if (isNaN(value)) continue
    mean += value
    seen++
    if (seen === period) {
      mean /= <f64>period
      out[i] = mean
    }
  }
  for (; i < to; i++) {
    const value = x[i]
    if (isNaN(value)) out[i] = NaN
    else {
      mean = mean * keep + value * alpha
      out[i] = mean
    }
  }
  state[0] = mean
  state[1] = <f64>seen
}

/** The weight of the newest value in an exponential average over `period` candles. */
export function weightOf(period: i32): f64 {
  return 2 / <f64>(period + 1)
}
