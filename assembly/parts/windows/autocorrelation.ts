import { Column } from '../../frame'

/**
 * The autocorrelation of the last `period` values of `x` at candles `i` and `i + 1`: Σ d·d[lag] / Σ d², where d is the
 * distance of a value from the mean of the window. Σ d² is `period` times the variance. NaN where the variance is 0.
 */
export function autocorrelations(x: Column, i: i32, period: i32, lag: i32, mean: v128, variance: v128): v128 {
  let sum = f64x2.splat(0)
  for (let k = 0; k < period - lag; k++) {
    const newer = f64x2.sub(x.pair(i - k), mean)
    const older = f64x2.sub(x.pair(i - k - lag), mean)
    sum = f64x2.add(sum, f64x2.mul(newer, older))
  }
  const zero = f64x2.splat(0)
  const total = f64x2.mul(variance, f64x2.splat(<f64>period))
  return v128.bitselect(f64x2.div(sum, total), f64x2.splat(NaN), f64x2.gt(total, zero))
}
