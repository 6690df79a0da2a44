import { Frame } from '../../frame'
import { presentAverage, weightOf } from '../../parts/averages/present-average'
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
  const changes = frame.scratch(0).from(-from)
  const sizes = frame.scratch(1).from(-from)
  const signal = frame.integer(2)
  trueStrength(
    frame.input(0),
    value,
    from,
    to,
    frame.integer(0),
    frame.integer(1),
    100,
    changes,
    sizes,
    state,
  )
  presentAverage(value, frame.output(1), from, to, signal, weightOf(signal), state.from(trueStrengthState))
}
