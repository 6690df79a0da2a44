import { Frame } from '../../frame'
import { trueStrength } from '../../parts/shared/true-strength'

/**
 * True Strength Index: 100 times the changes of the value, smoothed exponentially over `longPeriod` and again over
 * `shortPeriod` candles, divided by the absolute changes smoothed likewise; `signal` is its exponential average.
 * Every average is seeded with the mean of its first values (Tulip starts with the first one).
 * Source: Blau, Momentum, Direction and Divergence (1995); Skender.Stock.Indicators Tsi.
 */
export function tsi(frame: Frame, from: i32, to: i32): void {
  trueStrength(
    frame.input(0),
    frame.output(0),
    frame.output(1),
    from,
    to,
    frame.integer(0),
    frame.integer(1),
    frame.integer(2),
    100,
    frame.state,
  )
}
