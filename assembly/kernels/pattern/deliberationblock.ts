import { Frame } from '../../frame'
import { mirrored } from '../../parts/candles/mirrored'
import { stalledpattern } from './stalledpattern'

/**
 * Bullish Deliberation Block: 100 for three black candles that close lower and lower: two long ones, the second without
 * a lower shadow and opening in or near the first body, and a small one at the low of the second. It is the Stalled
 * Pattern upside down.
 * A candle that closes where it opened counts as black; the trend before the pattern is ignored.
 * Source: candlesticker.com; the mirror image of TA-Lib 0.6 CDLSTALLEDPATTERN.
 */
export function deliberationblock(frame: Frame, from: i32, to: i32): void {
  mirrored(stalledpattern, frame, from, to, 12)
}
