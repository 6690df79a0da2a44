import { Frame } from '../../frame'
import { logReturns } from '../../parts/numbers/returns'
import { rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { variance } from '../../parts/windows/deviation'
import { movingMean } from '../../parts/windows/sums'

/**
 * Variance Ratio: the variance of the logarithmic returns over `lag` candles, divided by `lag` times that of the
 * returns over one candle, within the last `period` returns; both are the unbiased estimates of Lo and MacKinnon. 1 for
 * a random walk, more in a trend, less where prices revert.
 * No value where all returns are equal but for the rounding of prices, or a value is not positive.
 * Source: Lo and MacKinnon, Stock Market Prices Do Not Follow Random Walks (1988).
 */
export function varianceratio(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const lag = frame.integer(1)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const count = period - lag + 1
  const returns = frame.scratch(0).from(-oldest)
  const squares = frame.scratch(1).from(-first)
  const means = frame.scratch(2).from(-first)
  const otherMeans = frame.scratch(3).from(-first)
  const suffixes = frame.scratch(4)
  logReturns(x, returns, oldest, to)
  variance(returns, 1, squares, first, to, period, suffixes)
  movingMean(returns, 1, means, first, to, period, suffixes)
  logReturns(x, returns, oldest + lag - 1, to, lag)
  variance(returns, lag, out, first, to, count, suffixes)
  movingMean(returns, lag, otherMeans, first, to, count, suffixes)
  const n = <f64>period
  const q = <f64>lag
  // The sums have `count` and n terms; the estimates divide by q·count·(1 − q/n) and n − 1.
  const scale = (n - 1) / n / (q * (1 - q / n))
  for (let i = first; i < to; i++) {
    const distance = otherMeans[i] - q * means[i]
    out[i] = squares[i] > rounding * rounding ? (scale * (out[i] + distance * distance)) / squares[i] : NaN
  }
}
