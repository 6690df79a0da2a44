import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { Stars } from '../../parts/candles/star'

/**
 * Morning Doji Star: 100 where a long black candle is followed by a doji whose body lies below its body, and that by a
 * white one, longer than short, that closes higher than `penetration` bodies above the close of the first.
 * The third body need not leave a gap above the doji; the trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLMORNINGDOJISTAR.
 */
export function morningdojistar(frame: Frame, from: i32, to: i32): void {
  Stars.write(frame, from, to, false, signalAt)
}

function signalAt(candles: Candles, i: i32): f64 {
  return Stars.signalAt(candles, i, false, true)
}
