import { Frame } from '../../frame'
import { closingShadow, SingleCandles } from '../../parts/candles/shaven-candles'

/**
 * Closing Marubozu: a long candle that has next to no shadow on the side where it closes. 100 where it is white, −100
 * where it is black.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLCLOSINGMARUBOZU.
 */
export function closingmarubozu(frame: Frame, from: i32, to: i32): void {
  SingleCandles.bodiesWithShadows(frame, from, to, closingShadow)
}
