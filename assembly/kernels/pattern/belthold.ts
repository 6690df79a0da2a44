import { Frame } from '../../frame'
import { CandlePairs, signedHundred } from '../../parts/simd'
import { warmup } from '../../parts/warmup'

/**
 * Belt-hold: a long candle that has next to no shadow on the side where it opens. 100 where it is white, −100 where it
 * is black.
 * The trend before the pattern is not looked at.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLBELTHOLD.
 */
export function belthold(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const bodies = frame.scratch(0)
  const ranges = frame.scratch(1)
  const start = warmup(out, from, to, 10)
  candles.sumBodies(bodies, start, to)
  candles.sumRanges(ranges, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const isShaven = f64x2.lt(candles.openingShadow(i), candles.veryShort(i, ranges))
    const fires = v128.and(isShaven, candles.isLong(i, bodies))
    out.setPair(i, signedHundred(fires, candles.sign(i)))
  }
  out[to] = after
}
