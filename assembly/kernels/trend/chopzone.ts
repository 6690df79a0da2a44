import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax, movingMin } from '../../parts/windows/extremes'

/**
 * Chop Zone: the angle in degrees at which the exponential average of the close rises, where 25 units are the range of
 * `period` candles; `zone` is 4 from 5 degrees on, 3 from 3.57, 2 from 2.14, 1 from 0.71, else 0, with the sign of the
 * angle. The angle is rounded to whole degrees; 0 where there is no range.
 * Source: TradingView, Chop Zone; deepentropy/lightweight-charts-indicators chop-zone.
 */
export function chopzone(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const zone = frame.output(1)
  const state = frame.state
  const period = frame.integer(0)
  const emaPeriod = frame.integer(1)
  const means = frame.scratch(0).from(1 - from)
  means[from - 1] = from === 0 ? 0 : state[exponentialState]
  exponentialAverage(close, 0, means, from, to, emaPeriod, 2 / <f64>(emaPeriod + 1), state)
  if (to > from) state[exponentialState] = means[to - 1]
  const first = warmup(value, from, to, max(period - 1, emaPeriod))
  warmup(zone, from, to, max(period - 1, emaPeriod))
  movingMax(high, 0, value, first, to, period, frame.scratch(1))
  movingMin(low, 0, zone, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) {
    const range = value[i] - zone[i]
    const span = (25 / range) * zone[i]
    const slope = ((means[i - 1] - means[i]) / ((high[i] + low[i] + close[i]) / 3)) * span
    const fall = range !== 0 ? slope : 0
    const degrees = Math.acos(1 / sqrt(1 + fall * fall)) * (180 / Math.PI)
    const angle = floor(degrees + 0.5)
    const size = angle >= 5 ? 4 : angle >= 3.57 ? 3 : angle >= 2.14 ? 2 : angle >= 0.71 ? 1 : 0
    const sign: f64 = fall > 0 ? -1 : 1
    value[i] = angle === 0 ? 0 : sign * angle
    zone[i] = isNaN(angle) ? NaN : size === 0 ? 0 : sign * <f64>size
  }
}
