import { Frame } from '../../frame'
import { mirroredBodies } from '../../parts/candles/mirrored'
import { upsidegap2crows } from './upsidegap2crows'

/**
 * Downside Gap Two Rabbits: 100 where a long black candle is followed by a short white body below its body, and that by
 * a white one that covers the second body and still closes below the first: Upside Gap Two Crows upside down.
 * The trend before the pattern is ignored.
 * Source: candlesticker.com; the mirror image of TA-Lib 0.6 CDLUPSIDEGAP2CROWS.
 */
export function downsidegaptworabbits(frame: Frame, from: i32, to: i32): void {
  mirroredBodies(upsidegap2crows, frame, from, to, 12)
}
