import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Unique Three River: 100 where a long black candle is followed by a black one that closes inside its body after a lower
 * low, and that by a small white one that opens above that low.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLUNIQUE3RIVER.
 */
export function unique3river(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 12); i < to; i++) {
    const first = i - 2
    const second = i - 1
    const third = i
    const fires =
      candles.isBlack(first) &&
      candles.isBlack(second) &&
      candles.isWhite(third) &&
      candles.close(second) > candles.close(first) &&
      candles.open(second) <= candles.open(first) &&
      candles.low(second) < candles.low(first) &&
      candles.open(third) > candles.low(second) &&
      candles.isLong(first) &&
      candles.isSmall(third)
    out[i] = fires ? 100 : 0
  }
}
