import { Frame } from '../../frame'
import { SingleCandles } from '../../parts/candles/shaven-candles'

/**
 * Gravestone Doji: 100 for a doji that has next to no lower shadow and an upper one longer than very short.
 * It has to be read against the trend before, which is ignored; the positive sign means nothing.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLGRAVESTONEDOJI.
 */
export function gravestonedoji(frame: Frame, from: i32, to: i32): void {
  SingleCandles.oneSidedDojis(frame, from, to, false)
}
