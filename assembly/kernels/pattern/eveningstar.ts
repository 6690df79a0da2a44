import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Evening Star: −100 where a long white candle is followed by a short body above its body, and that by a black candle,
 * longer than short, that closes deeper than `penetration` bodies below the close of the first.
 * The third body need not leave a gap below the star; the trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLEVENINGSTAR.
 */
export function eveningstar(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  const penetration = frame.number(0)
  for (let i = warmup(out, from, to, 12); i < to; i++) {
    const first = i - 2
    const star = i - 1
    const third = i
    const fires =
      candles.isWhite(first) &&
      candles.isBlack(third) &&
      candles.bodyGapsUp(first, star) &&
      candles.close(third) < candles.close(first) - candles.body(first) * penetration &&
      candles.isLong(first) &&
      candles.isShort(star) &&
      candles.isLong(third)
    out[i] = fires ? -100 : 0
  }
}
