import { Frame } from '../../frame'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Harami Cross: a long candle whose body holds the doji that follows. Positive after a black candle, negative after a
 * white one: 100 when the doji touches neither end of the body, 80 when it meets one.
 * TA-Lib before 0.6 gives 0 instead of 80.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLHARAMICROSS.
 */
export function haramicross(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const bodies = frame.scratch(0)
  const ranges = frame.scratch(1)
  const start = warmup(out, from, to, 11)
  candles.sumBodies(bodies, start - 1, to)
  candles.sumRanges(ranges, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const first = i - 1
    const doji = i
    const fires = v128.and(
      candles.bodyWithin(first, doji),
      v128.and(candles.isLong(first, bodies), candles.isDoji(doji, ranges)),
    )
    const size = v128.bitselect(f64x2.splat(100), f64x2.splat(80), candles.bodyInside(first, doji))
    const sign = v128.xor(candles.sign(first), f64x2.splat(-0.0))
    out.setPair(i, v128.and(fires, v128.or(size, sign)))
  }
  out[to] = after
}
