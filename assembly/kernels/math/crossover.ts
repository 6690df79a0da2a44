import { Frame } from '../../frame'
import { Crossings } from '../../parts/numbers/crossing'

/**
 * Cross over: 1 where the first value rises above the second, else 0.
 * The values are close and open by default; values that were equal before cross as soon as they differ.
 * Source: Tulip Indicators crossover.
 */
export function crossover(frame: Frame, from: i32, to: i32): void {
  Crossings.crossings(frame, from, to, true, false)
}
