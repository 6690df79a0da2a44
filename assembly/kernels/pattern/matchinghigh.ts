import { Frame } from '../../frame'
import { mirrored } from '../../parts/candles/mirrored'
import { matchinglow } from './matchinglow'

/**
 * Matching High: −100 for two white candles that close at equal prices: Matching Low upside down.
 * A candle that closes where it opened counts as black; the trend before the pattern is ignored.
 * Source: candlesticker.com, Bearish Matching High; the mirror image of TA-Lib 0.6 CDLMATCHINGLOW.
 */
export function matchinghigh(frame: Frame, from: i32, to: i32): void {
  mirrored(matchinglow, frame, from, to, 6)
}
