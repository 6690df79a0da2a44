import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { trueRange } from '../../parts/candles/true-range'
import { isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Pretty Good Oscillator: the distance of the close from its mean over `period` candles, in units of the exponential
 * average of the true range.
 * 0 where there is no range, and where the close equals its mean but for rounding, because the fading range of a still
 * market would magnify that rounding. pandas-ta smooths the average true range again.
 * Source: Johnson, Pretty Good Oscillator; mihakralj QuanTAlib Pgo.
 */
export function pgo(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const ranges = frame.scratch(0).from(-from)
  for (let i = max(from, 1); i < to; i++) out[i] = trueRange(high, low, close, i)
  exponentialAverage(out, 1, ranges, from, to, period, weightOf(period), frame.state)
  const first = warmup(out, from, to, period)
  movingMean(close, 0, out, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) {
    const distance = close[i] - out[i]
    out[i] = ranges[i] === 0 || isRounding(abs(distance), close[i]) ? 0 : distance / ranges[i]
  }
}
