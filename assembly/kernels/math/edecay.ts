import { Frame } from '../../frame'
import { decays } from '../../parts/numbers/decay'

/**
 * Exponential decay: the larger of the value and the previous result times 1 − 1 / `period`.
 * Source: Tulip Indicators edecay.
 */
export function edecay(frame: Frame, from: i32, to: i32): void {
  decays(frame, from, to, true)
}
