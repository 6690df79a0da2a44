import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { autocorrelations } from '../../parts/windows/autocorrelation'
import { variance } from '../../parts/windows/deviation'
import { movingMean } from '../../parts/windows/sums'

/**
 * Partial Autocorrelation: the correlation of values with those `lag` candles before that the values between them do
 * not explain. Computed by the recursion of Durbin and Levinson from the autocorrelations of `acf`.
 * No value where all values are equal or a step of the recursion divides by 0.
 * Source: Box and Jenkins, Time Series Analysis (1970); statsmodels pacf with method ldb.
 */
export function pacf(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const most = frame.integer(1)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const means = frame.scratch(0).from(-first)
  const variances = frame.scratch(1).from(-first)
  movingMean(x, 0, means, first, to, period, frame.scratch(2))
  variance(x, 0, variances, first, to, period, frame.scratch(2))
  const correlations = frame.scratch(3)
  const weights = frame.scratch(4)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    for (let lag = 1; lag <= most; lag++) {
      const pair = autocorrelations(x, i, period, lag, means.pair(i), variances.pair(i))
      correlations.setPair(2 * lag, pair)
    }
    out.setPair(i, lastWeights(correlations, weights, most))
  }
  out[to] = after
}

/** The weight of the farthest value in the best prediction from `most` values before, for two candles. */
function lastWeights(correlations: Column, weights: Column, most: i32): v128 {
  let last = correlations.pair(2)
  weights.setPair(2, last)
  for (let k = 2; k <= most; k++) {
    let rest = correlations.pair(2 * k)
    let unexplained = f64x2.splat(1)
    for (let j = 1; j < k; j++) {
      const weight = weights.pair(2 * j)
      rest = f64x2.sub(rest, f64x2.mul(weight, correlations.pair(2 * (k - j))))
      unexplained = f64x2.sub(unexplained, f64x2.mul(weight, correlations.pair(2 * j)))
    }
    const isDefined = f64x2.ne(unexplained, f64x2.splat(0))
    last = v128.bitselect(f64x2.div(rest, unexplained), f64x2.splat(NaN), isDefined)
    // Weights at both ends are updated together.
    for (let j = 1; 2 * j <= k; j++) {
      const near = weights.pair(2 * j)
      const far = weights.pair(2 * (k - j))
      weights.setPair(2 * j, f64x2.sub(near, f64x2.mul(last, far)))
      if (j !== k - j) weights.setPair(2 * (k - j), f64x2.sub(far, f64x2.mul(last, near)))
    }
    weights.setPair(2 * k, last)
  }
  return last
}
