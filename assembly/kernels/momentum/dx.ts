import { Frame } from '../../frame'
import { directionalIndex } from '../../parts/shared/directional'

/**
 * Directional Movement Index: |P − M| in percent of P + M, where P and M are the Wilder-smoothed upward and downward
 * movements; the true range that Wilder divides both by cancels.
 * Movements are sums seeded with the first period − 1 candles; where nothing moved the index stays unchanged.
 * Movements are compared as they are rounded, as in TA-Lib: where prices tie, the same candles in cents and in dollars may
 * give different values.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 DX.
 */
export function dx(frame: Frame, from: i32, to: i32): void {
  directionalIndex(
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
