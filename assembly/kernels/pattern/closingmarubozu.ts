import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Closing Marubozu: a long candle that has next to no shadow on the side where it closes. 100 where it is white, −100
 * where it is black.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLCLOSINGMARUBOZU.
 */
export function closingmarubozu(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    const fires = candles.closingShadow(i) < candles.veryShortShadow(i) && candles.isLong(i)
    out[i] = fires ? 100 * candles.colour(i) : 0
  }
}
