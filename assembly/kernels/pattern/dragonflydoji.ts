import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Dragonfly Doji: 100 for a doji that has next to no upper shadow and a lower one longer than very short.
 * It has to be read against the trend before, which is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLDRAGONFLYDOJI.
 */
export function dragonflydoji(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    const fires =
      candles.isDoji(i) && candles.hasShavenHead(i) && candles.lowerShadow(i) > candles.veryShortShadow(i)
    out[i] = fires ? 100 : 0
  }
}
