import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { presentAverage, weightOf } from '../../parts/averages/present-average'

/**
 * Percentage Volume Oscillator: the fast exponential average of the volume minus the slow one, in percent of the slow
 * one; its exponential average, and the difference of the two.
 * Each average is seeded with the mean of its own first values.
 * Source: StockCharts, Percentage Volume Oscillator; Skender.Stock.Indicators Pvo.
 */
export function pvo(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const value = frame.output(0)
  const signal = frame.output(1)
  const histogram = frame.output(2)
  const state = frame.state
  const fast = frame.integer(0)
  const slow = frame.integer(1)
  const period = frame.integer(2)
  exponentialAverage(x, 0, value, from, to, fast, weightOf(fast), state)
  exponentialAverage(x, 0, histogram, from, to, slow, weightOf(slow), state.from(exponentialState))
  for (let i = from; i < to; i++) {
    const mean = histogram[i]
    value[i] = mean !== 0 ? (100 * (value[i] - mean)) / mean : 0
  }
  presentAverage(value, signal, from, to, period, weightOf(period), state.from(2 * exponentialState))
  for (let i = from; i < to; i++) histogram[i] = value[i] - signal[i]
}
