import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { autocorrelations } from '../../parts/windows/autocorrelation'
import { variance } from '../../parts/windows/deviation'
import { movingMean } from '../../parts/windows/sums'

/**
 * Autocorrelation of the last `period` values at a distance of `lag` candles, from −1 to 1: the sum of the products of
 * their distances from the mean of the window, divided by the sum of the squares of all distances. The biased estimate:
 * there are `lag` fewer products than squares. No value where all values are equal.
 * Source: Box and Jenkins, Time Series Analysis (1970); statsmodels acf.
 */
export function acf(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const lag = frame.integer(1)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const means = frame.scratch(0).from(-first)
  const variances = frame.scratch(1).from(-first)
  movingMean(x, 0, means, first, to, period, frame.scratch(2))
  variance(x, 0, variances, first, to, period, frame.scratch(2))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    out.setPair(i, autocorrelations(x, i, period, lag, means.pair(i), variances.pair(i)))
  }
  out[to] = after
}
