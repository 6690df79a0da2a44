import { Frame } from '../../frame'
import { decays } from '../../parts/numbers/decay'

/**
 * Linear decay: the larger of the value and the previous result minus 1 / `period`.
 * Source: Tulip Indicators decay.
 */
export function decay(frame: Frame, from: i32, to: i32): void {
  decays(frame, from, to, false)
}
