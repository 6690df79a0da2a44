import { Frame } from '../../frame'
import { CandlePairs } from '../../parts/numbers/simd'
import { areLonger } from '../../parts/numbers/tie'

/**
 * Long Upper Shadow: −100 where the upper shadow is longer than `percent` percent of the range of the candle.
 * Source: TradingView's built-in pattern.
 */
export function longuppershadow(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const percent = f64x2.splat(frame.number(0))
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const range = f64x2.sub(candles.high(i), candles.low(i))
    const least = f64x2.mul(f64x2.div(range, f64x2.splat(100)), percent)
    out.setPair(i, v128.and(areLonger(candles.upperShadow(i), least), f64x2.splat(-100)))
  }
  out[to] = after
}
