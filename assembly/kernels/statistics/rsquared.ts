import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { trendCorrelation } from '../../parts/windows/trend-correlation'

/**
 * R-squared of the linear regression: the share of the variance of the last `period` values that their line of least
 * squares explains, from 0 to 1: the square of `cti`.
 * 0 where all values are equal.
 * Source: Skender.Stock.Indicators Slope (RSquared).
 */
export function rsquared(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  trendCorrelation(frame.input(0), out, first, to, period, frame.scratch(0), frame.scratch(1))
  const after = out[to]
  for (let i = first; i < to; i += 2) out.setPair(i, f64x2.mul(out.pair(i), out.pair(i)))
  out[to] = after
}
