import { Frame } from '../../frame'
import { CandlePairs } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Engulfing Pattern: a body that covers the body of the candle before, which has the other colour. Positive where the
 * covering candle is white, negative where it is black: 100 when it reaches beyond both ends, 80 when one end is equal.
 * TA-Lib before 0.6 gives 0 instead of 80; the trend before the pattern is ignored.
 * Source: Morris, Candlestick Charting Explained; TA-Lib 0.6 CDLENGULFING.
 */
export function engulfing(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const zero = f64x2.splat(0)
  const start = warmup(out, from, to, 2)
  const after = out[to]
  for (let i = start; i < to; i += 2) {
    const before = i - 1
    const above = f64x2.sub(candles.top(i), candles.top(before))
    const below = f64x2.sub(candles.bottom(before), candles.bottom(i))
    const covers = v128.and(f64x2.ge(f64x2.pmin(above, below), zero), f64x2.gt(f64x2.add(above, below), zero))
    const differs = v128.xor(candles.isWhite(before), candles.isWhite(i))
    const exceedsBoth = f64x2.gt(f64x2.pmin(above, below), zero)
    const size = v128.bitselect(f64x2.splat(100), f64x2.splat(80), exceedsBoth)
    out.setPair(i, v128.and(v128.and(covers, differs), v128.or(size, candles.sign(i))))
  }
  out[to] = after
}
