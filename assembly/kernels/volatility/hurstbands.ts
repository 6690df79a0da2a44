import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Hurst Bands: the mean of `period` values half a period and one candle ago, and three bands on either side of it at
 * `inner`, `outer` and `extreme` percent.
 * Half of an odd period is rounded up.
 * Source: Hurst, The Profit Magic of Stock Transaction Timing (1970); ooples CalculateHurstBands.
 */
export function hurstbands(frame: Frame, from: i32, to: i32): void {
  const middle = frame.output(0)
  const period = frame.integer(0)
  const shift = ((period + 1) >> 1) + 1
  const lookback = period - 1 + shift
  const first = warmup(middle, from, to, lookback)
  // The mean of a candle is drawn at a later one.
  movingMean(frame.input(0), 0, middle.from(shift), first - shift, to - shift, period, frame.scratch(0))
  for (let band = 0; band < 3; band++) {
    const upper = frame.output(1 + 2 * band)
    const lower = frame.output(2 + 2 * band)
    const share = frame.number(1 + band) / 100
    const above = f64x2.splat(1 + share)
    const below = f64x2.splat(1 - share)
    warmup(lower, from, to, lookback)
    const afterUpper = upper[to]
    const afterLower = lower[to]
    for (let i = warmup(upper, from, to, lookback); i < to; i += 2) {
      const centre = middle.pair(i)
      upper.setPair(i, f64x2.mul(centre, above))
      lower.setPair(i, f64x2.mul(centre, below))
    }
    upper[to] = afterUpper
    lower[to] = afterLower
  }
}
