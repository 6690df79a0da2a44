import { Frame } from '../../frame'
import { extremeRanges } from '../../parts/windows/extreme-ranges'

/**
 * Wide Spread: 100 where the range of the candle is larger than that of each of the `period` − 1 candles before (WS7; WS4
 * with a period of 4).
 * Ranges that differ by no more than rounding of the price are equal.
 * Source: Crabel, Day Trading with Short Term Price Patterns and Opening Range Breakout (1990).
 */
export function widerange(frame: Frame, from: i32, to: i32): void {
  extremeRanges(frame, from, to, 1)
}
