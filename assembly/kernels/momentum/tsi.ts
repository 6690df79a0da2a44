import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { trueStrength, trueStrengthState } from '../../parts/shared/true-strength'

/**
 * True Strength Index: 100 times the changes of the value, smoothed exponentially over `longPeriod` and again over
 * `shortPeriod` candles, by the absolute changes smoothed likewise; `signal` is its exponential average.
 * Every average is seeded with the mean of its first values (Tulip starts with the first one).
 * Source: Blau, Momentum, Direction and Divergence (1995); Skender.Stock.Indicators Tsi.
 */
export function tsi(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const state = frame.state
  const longPeriod = frame.integer(0)
  const shortPeriod = frame.integer(1)
  const signal = frame.integer(2)
  const start = longPeriod + shortPeriod - 1
  const rest = state.from(trueStrengthState)
  trueStrength(frame.input(0), value, from, to, longPeriod, shortPeriod, 100, state)
  exponentialAverage(value, start, frame.output(1), from, to, signal, weightOf(signal), rest)
}
