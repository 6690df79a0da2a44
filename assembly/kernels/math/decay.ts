import { Frame } from '../../frame'
import { decays } from '../../parts/numbers/decay'

/**
 * Linear decay: the value, or what is left of the decay before where that is more: it falls by 1 / `period` a candle.
 * Source: Tulip Indicators decay.
 */
export function decay(frame: Frame, from: i32, to: i32): void {
  decays(frame, from, to, false)
}
