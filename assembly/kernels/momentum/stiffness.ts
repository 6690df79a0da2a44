import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { deviation } from '../../parts/windows/deviation'
import { movingSum } from '../../parts/windows/sums'

/**
 * Stiffness: the share, in percent, of the last `period` values that lie above m − `factor`·d, smoothed exponentially;
 * m and d are mean and standard deviation of `maPeriod` candles.
 * Deviations of the population; the average is seeded with a mean.
 * Source: Katsanos, The Stiffness Indicator, Stocks & Commodities (November 2018); jesse stiffness.
 */
export function stiffness(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const length = frame.integer(0)
  const period = frame.integer(1)
  const smoothing = frame.integer(2)
  const factor = f64x2.splat(frame.number(3))
  const start = length + period - 2
  const suffixes = frame.scratch(2)
  const first = max(from, start)
  const oldest = first - period + 1
  const counts = frame.scratch(0).from(-oldest)
  const spreads = frame.scratch(1).from(-oldest)
  if (first < to) {
    deviation(x, 0, counts, spreads, oldest, to, length, suffixes)
    const one = f64x2.splat(1)
    for (let i = oldest; i < to; i += 2) {
      const level = f64x2.sub(counts.pair(i), f64x2.mul(factor, spreads.pair(i)))
      counts.setPair(i, v128.and(one, f64x2.gt(x.pair(i), level)))
    }
    movingSum(counts, length - 1, spreads, first, to, period, suffixes)
    for (let i = first; i < to; i++) spreads[i] = (100 * spreads[i]) / <f64>period
  }
  exponentialAverage(spreads, start, out, from, to, smoothing, weightOf(smoothing), frame.state)
}
