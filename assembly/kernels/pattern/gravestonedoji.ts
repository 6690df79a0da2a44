import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Gravestone Doji: 100 for a doji that has next to no lower shadow and an upper one longer than very short.
 * It has to be read against the trend before, which is not looked at; the positive sign means nothing.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLGRAVESTONEDOJI.
 */
export function gravestonedoji(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    const fires =
      candles.isDoji(i) && candles.hasShavenBottom(i) && candles.upperShadow(i) > candles.veryShortShadow(i)
    out[i] = fires ? 100 : 0
  }
}
