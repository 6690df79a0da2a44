import { average, averageLookback } from '../../average-types/average'
import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/**
 * Bollinger Bands: a moving average of the kind `maType`, and `stddev` standard deviations of the last `period`
 * values above and below it.
 * The deviation is that of the population around the simple mean, whatever the average.
 * Source: Bollinger, Bollinger on Bollinger Bands (2001); TA-Lib 0.6 BBANDS.
 */
export function bbands(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const period = frame.integer(0)
  const width = f64x2.splat(frame.number(1))
  const type = frame.integer(2)
  const first = frame.scratch(0)
  // Deviations are written to `lower`; the mean that comes with them is the middle band only of type 0.
  const begin = max(from, period - 1)
  deviation(x, 0, type === 0 ? middle : upper, lower, begin, to, period, first)
  if (type !== 0) average(type, x, 0, middle, from, to, period, frame.state, frame, 0)
  const lookback = max(averageLookback(type, period), period - 1)
  warmup(upper, from, to, lookback)
  warmup(middle, from, to, lookback)
  const afterUpper = upper[to]
  const afterLower = lower[to]
  for (let i = warmup(lower, from, to, lookback); i < to; i += 2) {
    const centre = middle.pair(i)
    const distance = f64x2.mul(lower.pair(i), width)
    upper.setPair(i, f64x2.add(centre, distance))
    lower.setPair(i, f64x2.sub(centre, distance))
  }
  upper[to] = afterUpper
  lower[to] = afterLower
}
