import { Frame } from '../../frame'
import { Candles } from '../../parts/anatomy'
import { warmup } from '../../parts/warmup'

/**
 * Doji: 100 where the body is at most a tenth of the mean range of the ten candles before.
 * It says indecision, neither up nor down; the positive sign means nothing.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLDOJI.
 */
export function doji(frame: Frame, from: i32, to: i32): void {
  const candles = Candles.of(frame)
  const out = frame.output(0)
  for (let i = warmup(out, from, to, 10); i < to; i++) {
    out[i] = candles.isDoji(i) ? 100 : 0
  }
}
