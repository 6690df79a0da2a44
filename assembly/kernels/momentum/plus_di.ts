import { Frame } from '../../frame'
import { directionalIndicators } from '../../parts/shared/directional'

/**
 * Plus Directional Indicator: the Wilder-smoothed upward movement in percent of the true range smoothed alike.
 * Sums are seeded with the first period − 1 candles; 0 where there was no range; with a period of 1 a fraction, not a
 * percentage.
 * Movements are compared as they are rounded, as in TA-Lib: where prices tie, the same candles in cents and in dollars may
 * give different values.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 PLUS_DI.
 */
export function plus_di(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const other = frame.scratch(0).from(-from)
  const period = frame.integer(0)
  directionalIndicators(
    frame.input(0),
    frame.input(1),
    frame.input(2),
    out,
    other,
    from,
    to,
    period,
    period,
    period === 1 ? 1 : 100,
    false,
    frame.state,
  )
}
