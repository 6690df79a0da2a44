import { Frame } from '../../frame'
import { CandlePairs, signedHundred } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Doji Star: a long candle and a doji whose body lies beyond a gap in its direction. −100 above a white candle, 100
 * below a black one.
 * The trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLDOJISTAR.
 */
export function dojistar(frame: Frame, from: i32, to: i32): void {
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
    const star = i
    const isBeyond = v128.bitselect(
      candles.bodyGapsUp(first, star),
      candles.bodyGapsDown(first, star),
      candles.isWhite(first),
    )
    const fires = v128.and(isBeyond, v128.and(candles.isDoji(star, ranges), candles.isLong(first, bodies)))
    out.setPair(i, signedHundred(fires, v128.xor(candles.sign(first), f64x2.splat(-0.0))))
  }
  out[to] = after
}
