import { Frame } from '../../frame'
import { Candles } from '../../parts/candle-shape'
import { warmup } from '../../parts/warmup'

/**
 * Long-Legged Doji: 100 for a doji with a shadow longer than its body.
 * One long shadow is enough, where others ask for two; the positive sign means nothing.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLLONGLEGGEDDOJI.
 */
export function longleggeddoji(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    const long = candles.longShadow(i)
    const fires = (candles.lowerShadow(i) > long || candles.upperShadow(i) > long) && candles.isDoji(i)
    out[i] = fires ? 100 : 0
  }
}
