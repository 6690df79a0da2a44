import { Frame } from '../../frame'
import { mirrored } from '../../parts/candles/mirrored'
import { unique3river } from './unique3river'

/**
 * Unique Three Mountain Top: −100 where a long white candle is followed by a white one that closes inside its body
 * after a higher high, and that by a small black one that opens below that high: Unique Three River upside down.
 * A candle that closes where it opened counts as black; the trend before the pattern is ignored.
 * Source: candlesticker.com; the mirror image of TA-Lib 0.6 CDLUNIQUE3RIVER.
 */
export function uniquethreemountain(frame: Frame, from: i32, to: i32): void {
  mirrored(unique3river, frame, from, to, 12)
}
