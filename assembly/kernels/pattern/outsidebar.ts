import { Frame } from '../../frame'
import { CandlePairs, signedHundred } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Outside Bar: a candle that reaches above the high and below the low of the one before: 100 where it is white, −100
 * where it is black. A candle that closes where it opened has no signal. Others use the sign of the close relative to
 * the previous range; an equal high or low is not outside.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948), the outside day.
 */
export function outsidebar(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const start = warmup(out, from, to, 1)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const hasColour = f64x2.ne(candles.open(i), candles.close(i))
    out.setPair(i, signedHundred(v128.and(candles.rangeInside(i, i - 1), hasColour), candles.sign(i)))
  }
  out[to] = after
}
