import { Frame } from '../../frame'
import { mirroredBodies } from '../../parts/candles/mirrored'
import { _2crows } from './2crows'

/**
 * Two Rabbits: 100 where a long black candle is followed by a white body below it, and that by a white candle which
 * opens inside the second body and closes inside the first: Two Crows upside down.
 * The trend before the pattern is ignored.
 * Source: candlesticker.com; the mirror image of TA-Lib 0.6 CDL2CROWS.
 */
export function tworabbits(frame: Frame, from: i32, to: i32): void {
  mirroredBodies(_2crows, frame, from, to, 12)
}
