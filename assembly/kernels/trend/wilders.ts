import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'

/**
 * Wilders Smoothing: weight 1 / period on the newest value.
 * Seeded with the mean of the first `period` values.
 * Source: Tulip Indicators wilders.
 */
export function wilders(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  exponentialAverage(frame.input(0), 0, frame.output(0), from, to, period, 1 / <f64>period, frame.state)
}
