import { Frame } from '../../frame'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Two Black Gapping Candles: −100 where a black candle lies below the candle before, shadows included, and is followed
 * by a black one with a lower high.
 * Bulkowski also asks for a fall before; the trend before the pattern is ignored.
 * Source: Bulkowski, Encyclopedia of Candlestick Charts (2008).
 */
export function twoblackgapping(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const start = warmup(out, from, to, 2)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const gaps = f64x2.lt(candles.high(i - 1), candles.low(i - 2))
    const isLower = f64x2.lt(candles.high(i), candles.high(i - 1))
    const fires = v128.and(candles.areBlack(i, 2), v128.and(gaps, isLower))
    out.setPair(i, v128.and(fires, f64x2.splat(-100)))
  }
  out[to] = after
}
