import { Column } from '../../frame'

// Exponential averages by their lag behind their input, for loops that compute several averages at once.
//
// The decayed sum of c is s[i] = c[i] + keep·s[i − 1]. An exponential average e of x, with keep = 1 − alpha, lags
// keep·s behind x, where s is the decayed sum of the changes x[i] − x[i − 1]; the average of e lags alpha·keep·t behind
// e, where t is the decayed sum of s; and so on.
//
// In a flat market changes are 0 and the sums fade, so averages reach the price itself, and their last bit never oscillates.

/** The decayed sum after a value. */
export function decayed(sum: v128, value: v128, keep: v128): v128 {
  return f64x2.add(f64x2.mul(sum, keep), value)
}

/**
 * Feeds candle `i` to `average[0]`, an exponential average that has values from candle `start` on: their sum, their mean
 * once there are `period` of them, and then mean·(1 − alpha) + value·alpha.
 */
export function feed(value: f64, i: i32, start: i32, period: i32, alpha: f64, average: Column): void {
  let mean = i <= start ? 0 : average[0]
  if (i >= start + period) mean = mean * (1 - alpha) + value * alpha
  else if (i >= start) mean += value
  if (i === start + period - 1) mean /= <f64>period
  average[0] = mean
}
