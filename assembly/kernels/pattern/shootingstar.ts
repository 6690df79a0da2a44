import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Shooting Star: −100 for a small body with a long upper and next to no lower shadow, which lies above the body before.
 * A long shadow is one longer than the body, where others ask for two or three bodies.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLSHOOTINGSTAR.
 */
export function shootingstar(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 11); i < to; i++) {
    const fires =
      candles.upperShadow(i) > candles.longShadow(i) &&
      candles.bodyGapsUp(i - 1, i) &&
      candles.isSmall(i) &&
      candles.hasShavenBottom(i)
    out[i] = fires ? -100 : 0
  }
}
