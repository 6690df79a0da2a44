import { Frame } from '../../frame'
import { directionalIndicators } from '../../parts/shared/directional'

/**
 * Directional Indicator: the Wilder-smoothed upward and downward movements in percent of the true range smoothed alike.
 * Begins with the sums of the first period − 1 candles; of equal movements up and down both count (in TA-Lib neither);
 * 0 where there was no range.
 * Movements are compared as they are rounded, as in Tulip: where prices tie, the same candles in cents and in dollars may
 * give different values.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); Tulip di.
 */
export function di(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  directionalIndicators(
    frame.input(0),
    frame.input(1),
    frame.input(2),
    frame.output(0),
    frame.output(1),
    from,
    to,
    period,
    max(1, period - 1),
    100,
    true,
    frame.state,
  )
}
