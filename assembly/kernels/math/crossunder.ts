import { Frame } from '../../frame'
import { Crossings } from '../../parts/numbers/crossing'

/**
 * Cross under: 1 where the first value falls below the second, else 0.
 * The values are close and open by default; values that were equal before cross as soon as they differ.
 * Source: Pine ta.crossunder, as PyneCore has it; Tulip Indicators crossover turned upside down.
 */
export function crossunder(frame: Frame, from: i32, to: i32): void {
  Crossings.crossings(frame, from, to, false, true)
}
