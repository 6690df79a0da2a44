import { Frame } from '../../frame'
import { SingleCandles } from '../../parts/candles/shaven-candles'

/**
 * Dragonfly Doji: 100 for a doji that has next to no upper shadow and a lower one longer than very short.
 * It has to be read against the trend before, which is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLDRAGONFLYDOJI.
 */
export function dragonflydoji(frame: Frame, from: i32, to: i32): void {
  SingleCandles.oneSidedDojis(frame, from, to, true)
}
