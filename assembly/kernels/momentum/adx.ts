import { Frame } from '../../frame'
import { averageDirectionalIndex } from '../../parts/shared/directional'

/**
 * Average Directional Movement Index: the Wilder-smoothed share of |P − M| in P + M, in percent, where P and M are
 * the Wilder-smoothed upward and downward movements; the true range that Wilder divides both by cancels.
 * Movements are sums seeded with the first period − 1 candles, the index with the mean of `period` shares; a candle
 * without any movement leaves it unchanged.
 * Movements are compared as they are rounded, as in TA-Lib: where prices tie, the same candles in cents and in dollars may
 * give different values.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 ADX.
 */
export function adx(frame: Frame, from: i32, to: i32): void {
  averageDirectionalIndex(
    frame.input(0),
    frame.input(1),
    frame.output(0),
    frame.scratch(0).from(-from),
    from,
    to,
    frame.integer(0),
    frame.state,
  )
}
