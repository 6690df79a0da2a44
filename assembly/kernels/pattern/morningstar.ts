import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Morning Star: 100 where a long black candle is followed by a short body below its body, and that by a white candle,
 * longer than short, that closes higher than `penetration` bodies above the close of the first.
 * The third body need not leave a gap above the star; the trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLMORNINGSTAR.
 */
export function morningstar(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  const penetration = frame.number(0)
  for (let i = warmup(out, from, to, 12); i < to; i++) {
    const first = i - 2
    const star = i - 1
    const third = i
    const fires =
      candles.isBlack(first) &&
      candles.isWhite(third) &&
      candles.bodyGapsDown(first, star) &&
      candles.close(third) > candles.close(first) + candles.body(first) * penetration &&
      candles.isLong(first) &&
      candles.isShort(star) &&
      candles.isLong(third)
    out[i] = fires ? 100 : 0
  }
}
