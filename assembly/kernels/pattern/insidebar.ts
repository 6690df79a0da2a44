import { Frame } from '../../frame'
import { CandlePairs, signedHundred } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Inside Bar: a candle whose range lies strictly inside that of the one before: 100 where it is white, −100 where it is
 * black. The pattern itself only means a pause; the sign is only the candle's colour, and a candle that closes where it
 * opened has no signal.
 * Others count an equal high or low as inside.
 * Source: Crabel, Day Trading with Short Term Price Patterns and Opening Range Breakout (1990).
 */
export function insidebar(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const start = warmup(out, from, to, 1)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const hasColour = f64x2.ne(candles.open(i), candles.close(i))
    out.setPair(i, signedHundred(v128.and(candles.rangeInside(i - 1, i), hasColour), candles.sign(i)))
  }
  out[to] = after
}
