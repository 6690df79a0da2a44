import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Takuri: 100 for a doji with next to no upper shadow and a lower one longer than two bodies.
 * A dragonfly doji with a very long shadow; the trend before is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLTAKURI.
 */
export function takuri(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    const fires =
      candles.lowerShadow(i) > candles.veryLongShadow(i) && candles.isDoji(i) && candles.hasShavenHead(i)
    out[i] = fires ? 100 : 0
  }
}
