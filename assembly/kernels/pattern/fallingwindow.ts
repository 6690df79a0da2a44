import { Frame } from '../../frame'
import { CandlePairs, signedHundred } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Falling Window: −100 where the high lies below the low of the candle before: a gap downwards, shadows included.
 * Others ask for a fall before; the trend before the pattern is ignored.
 * Source: Nison, Japanese Candlestick Charting Techniques (1991), windows.
 */
export function fallingwindow(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const minus = f64x2.splat(-0.0)
  const start = warmup(out, from, to, 1)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    out.setPair(i, signedHundred(f64x2.lt(candles.high(i), candles.low(i - 1)), minus))
  }
  out[to] = after
}
