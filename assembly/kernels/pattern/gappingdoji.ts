import { Frame } from '../../frame'
import { CandlePairs, hundreds } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Gapping Doji: a doji beyond a gap from the candle before, shadows included. 100 above it, −100 below it.
 * The body of a doji is at most a tenth of the mean range of the ten candles before. Bulkowski also asks for a trend,
 * which is ignored.
 * Source: Bulkowski, Encyclopedia of Candlestick Charts (2008), doji gapping up and doji gapping down.
 */
export function gappingdoji(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const ranges = frame.scratch(0)
  const start = warmup(out, from, to, 10)
  candles.sumRanges(ranges, start, to)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const isDoji = candles.isDoji(i, ranges)
    const isAbove = f64x2.gt(candles.low(i), candles.high(i - 1))
    const isBelow = f64x2.lt(candles.high(i), candles.low(i - 1))
    out.setPair(i, v128.and(isDoji, hundreds(isAbove, isBelow)))
  }
  out[to] = after
}
