import { Frame } from '../../frame'
import { Candles } from '../../parts/candles/candle-shape'
import { Stars } from '../../parts/candles/star'

/**
 * Evening Doji Star: −100 where a long white candle is followed by a doji whose body lies above its body, and that by a
 * black one, longer than short, that closes deeper than `penetration` bodies below the close of the first.
 * The third body may overlap the range of the doji; the trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLEVENINGDOJISTAR.
 */
export function eveningdojistar(frame: Frame, from: i32, to: i32): void {
  Stars.write(frame, from, to, true, signalAt)
}

function signalAt(candles: Candles, i: i32): f64 {
  return Stars.signalAt(candles, i, true, true)
}
