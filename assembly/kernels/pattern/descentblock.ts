import { Frame } from '../../frame'
import { mirrored } from '../../parts/candles/mirrored'
import { advanceblock } from './advanceblock'

/**
 * Descent Block: 100 for three black candles, each closing lower and opening in or near the body before, that lose
 * strength: the second or third body is far smaller than the previous one, or the bodies shrink while the lower shadows
 * grow. It is Advance Block upside down.
 * A candle that closes where it opened counts as black; the trend before the pattern is ignored.
 * Source: candlesticker.com; the mirror image of TA-Lib 0.6 CDLADVANCEBLOCK.
 */
export function descentblock(frame: Frame, from: i32, to: i32): void {
  mirrored(advanceblock, frame, from, to, 12)
}
