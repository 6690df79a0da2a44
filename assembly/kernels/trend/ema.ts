import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'

/**
 * Exponential Moving Average: weight 2 / (period + 1) on the newest value.
 * Seeded with the mean of the first `period` values (others seed with the first value; the difference fades).
 * Source: TA-Lib 0.6 EMA.
 */
export function ema(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  exponentialAverage(frame.input(0), 0, frame.output(0), from, to, period, 2 / <f64>(period + 1), frame.state)
}
