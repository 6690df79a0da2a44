import { Frame } from '../../frame'
import { mirrored } from '../../parts/candles/mirrored'
import { sticksandwich } from './sticksandwich'

/**
 * Bearish Stick Sandwich: −100 where a black candle that stays below the close before stands between two white ones
 * that close at equal prices: Stick Sandwich upside down.
 * A candle that closes where it opened counts as black; the trend before the pattern is ignored.
 * Source: the mirror image of TA-Lib 0.6 CDLSTICKSANDWICH.
 */
export function bearishsticksandwich(frame: Frame, from: i32, to: i32): void {
  mirrored(sticksandwich, frame, from, to, 7)
}
