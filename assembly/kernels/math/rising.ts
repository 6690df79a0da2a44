import { Frame } from '../../frame'
import { stepsInARow } from '../../parts/windows/runs'

/**
 * Rising: 1 where each of the last `period` steps went up, else 0.
 * Pine returns false during the first candles, too.
 * Source: Pine ta.rising, as PyneCore measured it.
 */
export function rising(frame: Frame, from: i32, to: i32): void {
  stepsInARow(frame, from, to, 1)
}
