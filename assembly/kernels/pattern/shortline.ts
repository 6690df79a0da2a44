import { Frame } from '../../frame'
import { SingleCandles, smallWithShortShadows } from '../../parts/candles/shaven-candles'

/**
 * Short Line Candle: a small body between two short shadows. 100 where it is white, −100 where it is black.
 * Short is a shadow below the mean shadow of the ten candles before.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLSHORTLINE.
 */
export function shortline(frame: Frame, from: i32, to: i32): void {
  SingleCandles.bodiesWithShadows(frame, from, to, smallWithShortShadows)
}
