import { Frame } from '../../frame'
import { bothShadows, SingleCandles } from '../../parts/candles/shaven-candles'

/**
 * Marubozu: a long candle with next to no shadows. 100 where it is white, −100 where it is black.
 * Shadows below a tenth of the mean range of the ten candles before count as none.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLMARUBOZU.
 */
export function marubozu(frame: Frame, from: i32, to: i32): void {
  SingleCandles.bodiesWithShadows(frame, from, to, bothShadows)
}
