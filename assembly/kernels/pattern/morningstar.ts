import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { Stars } from '../../parts/candles/star'

/**
 * Morning Star: 100 where a long black candle is followed by a short body below its body, and that by a white candle,
 * longer than short, that closes higher than `penetration` bodies above the close of the first.
 * The third body need not leave a gap above the star; the trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLMORNINGSTAR.
 */
export function morningstar(frame: Frame, from: i32, to: i32): void {
  Stars.write(frame, from, to, false, signalAt)
}

function signalAt(candles: Candles, i: i32): f64 {
  return Stars.signalAt(candles, i, false, false)
}
