import { Frame } from '../../frame'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Collapsing Doji Star: −100 where a white candle is followed by a doji below it and that by a black candle below the
 * doji, with gaps between the shadows.
 * The body of a doji is at most a tenth of the mean range of the ten candles before. Bulkowski also asks for a rise
 * before; the trend before the pattern is ignored.
 * Source: Bulkowski, Encyclopedia of Candlestick Charts (2008).
 */
export function collapsingdojistar(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const ranges = frame.scratch(0)
  const start = warmup(out, from, to, 12)
  candles.sumRanges(ranges, start - 1, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const gaps = v128.and(
      f64x2.lt(candles.high(i - 1), candles.low(i - 2)),
      f64x2.lt(candles.high(i), candles.low(i - 1)),
    )
    const colours = v128.and(candles.rises(i - 2), candles.isBlack(i))
    const fires = v128.and(v128.and(gaps, colours), candles.isDoji(i - 1, ranges))
    out.setPair(i, v128.and(fires, f64x2.splat(-100)))
  }
  out[to] = after
}
