import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Hanging Man: −100 for a small body with a long lower and next to no upper shadow, which lies near or above the high
 * before.
 * A long shadow is one longer than the body, where others ask for two bodies.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLHANGINGMAN.
 */
export function hangingman(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 11); i < to; i++) {
    const before = i - 1
    const fires =
      candles.lowerShadow(i) > candles.longShadow(i) &&
      candles.bottom(i) >= candles.high(before) - candles.near(before) &&
      candles.isSmall(i) &&
      candles.hasShavenHead(i)
    out[i] = fires ? -100 : 0
  }
}
