import { Frame } from '../../frame'
import { longWithShortShadows, SingleCandles } from '../../parts/candles/shaven-candles'

/**
 * Long Line Candle: a long body between two short shadows. 100 where it is white, −100 where it is black.
 * Short is a shadow below the mean shadow of the ten candles before.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLLONGLINE.
 */
export function longline(frame: Frame, from: i32, to: i32): void {
  SingleCandles.bodiesWithShadows(frame, from, to, longWithShortShadows)
}
