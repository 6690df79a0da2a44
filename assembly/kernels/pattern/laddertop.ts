import { Frame } from '../../frame'
import { mirrored } from '../../parts/candles/mirrored'
import { ladderbottom } from './ladderbottom'

/**
 * Ladder Top: −100 where three white candles open and close higher and higher, a fourth white one has a lower shadow,
 * and a black one opens below its open and closes below its low: Ladder Bottom upside down.
 * A candle that closes where it opened counts as black; the trend before the pattern is ignored.
 * Source: candlesticker.com; the mirror image of TA-Lib 0.6 CDLLADDERBOTTOM.
 */
export function laddertop(frame: Frame, from: i32, to: i32): void {
  mirrored(ladderbottom, frame, from, to, 14)
}
