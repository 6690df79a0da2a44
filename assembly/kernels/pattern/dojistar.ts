import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Doji Star: a long candle and a doji whose body lies beyond a gap in its direction. −100 above a white candle, 100
 * below a black one.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLDOJISTAR.
 */
export function dojistar(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 11); i < to; i++) {
    const first = i - 1
    const star = i
    const fires =
      candles.isDoji(star) &&
      (candles.isWhite(first) ? candles.bodyGapsUp(first, star) : candles.bodyGapsDown(first, star)) &&
      candles.isLong(first)
    out[i] = fires ? -100 * candles.colour(first) : 0
  }
}
