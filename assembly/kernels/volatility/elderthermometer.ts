import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Elder Market Thermometer: the larger distance by which the candle extends above or below the previous one, 0 if it
 * lies within it; `signal` is its exponential average.
 * pandas-ta takes absolute differences, so a candle within the previous one counts too.
 * Source: Elder, Come Into My Trading Room (2002); QuanTAlib Etherm.
 */
export function elderthermometer(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const value = frame.output(0)
  const period = frame.integer(0)
  for (let i = warmup(value, from, to, 1); i < to; i++)
    value[i] = max(max(high[i] - high[i - 1], low[i - 1] - low[i]), 0)
  exponentialAverage(value, 1, frame.output(1), from, to, period, weightOf(period), frame.state)
}
