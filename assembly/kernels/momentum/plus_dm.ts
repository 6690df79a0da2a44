import { Frame } from '../../frame'
import { directionalMovements } from '../../parts/shared/directional'

/**
 * Plus Directional Movement: the Wilder-smoothed sum of the distances by which candles extend above the previous one.
 * Seeded with the sum of the first period − 1 movements; of equal movements up and down neither counts.
 * Movements are compared as they are rounded, as in TA-Lib: where prices tie, the same candles in cents and in dollars
 * may give different values.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 PLUS_DM.
 */
export function plus_dm(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const other = frame.scratch(0).from(-from)
  directionalMovements(
    frame.input(0),
    frame.input(1),
    out,
    other,
    from,
    to,
    frame.integer(0),
    false,
    frame.state,
  )
}
