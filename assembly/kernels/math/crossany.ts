import { Frame } from '../../frame'
import { Crossings } from '../../parts/numbers/crossing'

/**
 * Cross any: 1 where the first value rises above the second or falls below it, else 0.
 * The values are close and open by default; values that were equal before cross as soon as they differ.
 * Source: Tulip Indicators crossany.
 */
export function crossany(frame: Frame, from: i32, to: i32): void {
  Crossings.crossings(frame, from, to, true, true)
}
