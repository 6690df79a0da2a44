import { Frame } from '../../frame'
import { presentAverage, weightOf } from '../../parts/averages/present-average'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Volume-Weighted MACD: the volume-weighted mean of the close over `fastPeriod` candles minus that over `slowPeriod`,
 * its exponential average, and the difference.
 * No value where nothing was traded (pandas-ta weights the signal by volume, too).
 * Source: Dormeier, The Volume-Weighted MACD (2001); jesse vwmacd.
 */
export function vwmacd(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(0)
  const volume = frame.input(1)
  const value = frame.output(0)
  const signal = frame.output(1)
  const histogram = frame.output(2)
  const fast = frame.integer(0)
  const slow = frame.integer(1)
  const period = frame.integer(2)
  const suffixes = frame.scratch(2)
  const first = warmup(value, from, to, slow - 1)
  if (first < to) {
    const oldest = first - slow + 1
    const turnovers = frame.scratch(0).from(-oldest)
    const sums = frame.scratch(1).from(-first)
    for (let i = oldest; i < to; i++) turnovers[i] = close[i] * volume[i]
    movingSum(turnovers, 0, value, first, to, fast, suffixes)
    movingSum(volume, 0, sums, first, to, fast, suffixes)
    for (let i = first; i < to; i++) value[i] = sums[i] !== 0 ? value[i] / sums[i] : NaN
    movingSum(turnovers, 0, histogram, first, to, slow, suffixes)
    movingSum(volume, 0, sums, first, to, slow, suffixes)
    for (let i = first; i < to; i++) value[i] -= sums[i] !== 0 ? histogram[i] / sums[i] : NaN
  }
  presentAverage(value, signal, from, to, period, weightOf(period), frame.state)
  for (let i = from; i < to; i++) histogram[i] = value[i] - signal[i]
}
