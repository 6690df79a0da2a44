import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'

/**
 * Smoothed Moving Average: weight 1 / period on the newest value.
 * Seeded with the mean of the first `period` values.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); Skender.Stock.Indicators SMMA.
 */
export function smma(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  exponentialAverage(frame.input(0), 0, frame.output(0), from, to, period, 1 / <f64>period, frame.state)
}
