import { Frame } from '../../frame'
import { CandlePairs, hundred } from '../../parts/simd'
import { warmup } from '../../parts/warmup'

/**
 * Dragonfly Doji: 100 for a doji that has next to no upper shadow and a lower one longer than very short.
 * It has to be read against the trend before, which is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLDRAGONFLYDOJI.
 */
export function dragonflydoji(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const ranges = frame.scratch(0)
  const start = warmup(out, from, to, 10)
  candles.sumRanges(ranges, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const veryShort = candles.veryShort(i, ranges)
    const isShaven = f64x2.lt(candles.upperShadow(i), veryShort)
    const hasShadow = f64x2.gt(candles.lowerShadow(i), veryShort)
    const fires = v128.and(candles.isDoji(i, ranges), v128.and(isShaven, hasShadow))
    out.setPair(i, hundred(fires))
  }
  out[to] = after
}
