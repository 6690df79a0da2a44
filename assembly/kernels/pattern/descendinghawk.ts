import { Frame } from '../../frame'
import { mirroredBodies } from '../../parts/candles/mirrored'
import { homingpigeon } from './homingpigeon'

/**
 * Descending Hawk: −100 where a long white candle is followed by a short white body inside its body: Homing Pigeon
 * upside down.
 * The trend before the pattern is ignored.
 * Source: candlesticker.com; the mirror image of TA-Lib 0.6 CDLHOMINGPIGEON.
 */
export function descendinghawk(frame: Frame, from: i32, to: i32): void {
  mirroredBodies(homingpigeon, frame, from, to, 11)
}
