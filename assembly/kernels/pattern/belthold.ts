import { Frame } from '../../frame'
import { openingShadow, SingleCandles } from '../../parts/candles/shaven-candles'

/**
 * Belt-hold: a long candle that has next to no shadow on the side where it opens. 100 where it is white, −100 where it
 * is black.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLBELTHOLD.
 */
export function belthold(frame: Frame, from: i32, to: i32): void {
  SingleCandles.bodiesWithShadows(frame, from, to, openingShadow)
}
