import { Frame } from '../../frame'
import { CandlePairs, hundred } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Rising Window: 100 where the low lies above the high of the candle before: a gap upwards, shadows included.
 * Others ask for a rise before; the trend before the pattern is ignored.
 * Source: Nison, Japanese Candlestick Charting Techniques (1991), windows.
 */
export function risingwindow(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const start = warmup(out, from, to, 1)
  const after = out[to]
  for (let i = start; i < to; i += 2) out.setPair(i, hundred(f64x2.gt(candles.low(i), candles.high(i - 1))))
  out[to] = after
}
