import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { warmup } from '../../parts/numbers/warmup'
import { lineErrors } from '../../parts/windows/residuals'

/**
 * Kirshenbaum Bands: the exponential average over `period` candles, and `multiplier` standard errors of the line of least
 * squares through the last `regressionPeriod` values above and below it.
 * The error divides by `regressionPeriod` − 2.
 * Source: Kirshenbaum; ooples CalculateKirshenbaumBands.
 */
export function kirshenbaum(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const period = frame.integer(0)
  const count = frame.integer(1)
  const multiplier = f64x2.splat(frame.number(2))
  exponentialAverage(x, 0, middle, from, to, period, weightOf(period), frame.state)
  const lookback = max(period, count) - 1
  warmup(lower, from, to, lookback)
  const first = warmup(upper, from, to, lookback)
  if (first >= to) return
  const lines = frame.scratch(0).from(-first)
  const slopes = frame.scratch(1).from(-first)
  lineErrors(x, upper, first, to, count, lines, slopes, frame.scratch(2))
  const afterUpper = upper[to]
  const afterLower = lower[to]
  for (let i = first; i < to; i += 2) {
    const centre = middle.pair(i)
    const width = f64x2.mul(upper.pair(i), multiplier)
    upper.setPair(i, f64x2.add(centre, width))
    lower.setPair(i, f64x2.sub(centre, width))
  }
  upper[to] = afterUpper
  lower[to] = afterLower
}
