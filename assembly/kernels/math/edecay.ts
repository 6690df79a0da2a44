import { Frame } from '../../frame'
import { decays } from '../../parts/numbers/decay'

/**
 * Exponential decay: the value, or what is left of the decay before where that is more: it loses 1 / `period` of itself a
 * candle.
 * Source: Tulip Indicators edecay.
 */
export function edecay(frame: Frame, from: i32, to: i32): void {
  decays(frame, from, to, true)
}
