import { Frame } from '../../frame'
import { directionalMovements } from '../../parts/shared/directional'

/**
 * Directional Movement: the Wilder-smoothed sums of the distances by which candles extend above and below the previous
 * one. Seeded with the sums of the first period − 1 movements; of equal movements up and down both count (in TA-Lib
 * neither). Movements are compared as they are rounded, as in Tulip: where prices tie, the same candles in cents and in
 * dollars may give different values.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); Tulip dm.
 */
export function dm(frame: Frame, from: i32, to: i32): void {
  directionalMovements(
    frame.input(0),
    frame.input(1),
    frame.output(0),
    frame.output(1),
    from,
    to,
    frame.integer(0),
    true,
    frame.state,
  )
}
