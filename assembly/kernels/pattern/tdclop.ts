import { Frame } from '../../frame'
import { CandlePairs, hundreds } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * TD Clop: 100 where the candle opens below the previous open and close and its high exceeds both, −100 where it opens
 * above both and its low falls below both.
 * Source: DeMark, New Market Timing Techniques (1997), page 240; Perl, DeMark Indicators (2008).
 */
export function tdclop(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const start = warmup(out, from, to, 1)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const top = candles.top(i - 1)
    const bottom = candles.bottom(i - 1)
    const isUp = v128.and(f64x2.lt(candles.open(i), bottom), f64x2.gt(candles.high(i), top))
    const isDown = v128.and(f64x2.gt(candles.open(i), top), f64x2.lt(candles.low(i), bottom))
    out.setPair(i, hundreds(isUp, isDown))
  }
  out[to] = after
}
