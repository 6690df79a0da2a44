import { Frame } from '../../frame'
import { presentAverage, weightOf } from '../../parts/averages/present-average'

/**
 * Price Momentum Oscillator: ten times the relative change in percent, smoothed with the weight 2 / longPeriod and
 * again with 2 / shortPeriod; `signal` is its exponential average.
 * All are seeded with the means of their first values; changes from 0 are skipped.
 * Source: Swenlin, DecisionPoint Price Momentum Oscillator; Skender.Stock.Indicators Pmo.
 */
export function pmo(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const value = frame.output(0)
  const state = frame.state
  const long = frame.integer(0)
  const short = frame.integer(1)
  const signal = frame.integer(2)
  for (let i = from; i < to; i++) {
    const before = i === 0 ? 0 : x[i - 1]
    value[i] = before !== 0 ? 100 * (x[i] / before - 1) : NaN
  }
  presentAverage(value, value, from, to, long, 2 / <f64>long, state)
  for (let i = from; i < to; i++) value[i] *= 10
  presentAverage(value, value, from, to, short, 2 / <f64>short, state.from(2))
  presentAverage(value, frame.output(1), from, to, signal, weightOf(signal), state.from(4))
}
