import { Frame } from '../../frame'
import { stepsInARow } from '../../parts/windows/runs'

/**
 * Falling: 1 where each of the last `period` steps went down, else 0.
 * Pine returns false during the first candles, too.
 * Source: Pine ta.falling, as PyneCore measured it.
 */
export function falling(frame: Frame, from: i32, to: i32): void {
  stepsInARow(frame, from, to, -1)
}
