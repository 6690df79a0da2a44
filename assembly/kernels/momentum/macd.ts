import { Frame } from '../../frame'
import { macdLines } from '../../parts/shared/macd'

/**
 * Moving Average Convergence Divergence: fast minus slow exponential average, its own exponential average (the
 * signal), and the difference of the two.
 * Both averages are seeded at candle slowPeriod − 1 with the mean of their last values there, and all three lines
 * begin together; a slow period below the fast one is swapped with it.
 * Source: TA-Lib 0.6 MACD.
 */
export function macd(frame: Frame, from: i32, to: i32): void {
  const fastPeriod = min(frame.integer(0), frame.integer(1))
  const slowPeriod = max(frame.integer(0), frame.integer(1))
  macdLines(
    frame.input(0),
    frame.output(0),
    frame.output(1),
    frame.output(2),
    from,
    to,
    fastPeriod,
    slowPeriod,
    frame.integer(2),
    2 / <f64>(fastPeriod + 1),
    2 / <f64>(slowPeriod + 1),
    frame.state,
  )
}
