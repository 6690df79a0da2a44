import { Frame } from '../../frame'
import { macdLines } from '../../parts/shared/macd'

/**
 * Moving Average Convergence Divergence of 12 and 26 candles with Appel's rounded weights: 0.15 on the newest value in
 * the fast average, 0.075 in the slow one.
 * Both averages are seeded at candle 25 with the mean of their last values there, and all three lines begin together.
 * Source: Appel; TA-Lib 0.6 MACDFIX.
 */
export function macdfix(frame: Frame, from: i32, to: i32): void {
  macdLines(
    frame.input(0),
    frame.output(0),
    frame.output(1),
    frame.output(2),
    from,
    to,
    12,
    26,
    frame.integer(0),
    0.15,
    0.075,
    frame.state,
  )
}
