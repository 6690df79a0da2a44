import { Frame } from '../../frame'
import { CandlePairs, signedHundred } from '../../parts/numbers/simd'
import { areShorter } from '../../parts/numbers/tie'

/**
 * Pin Bar: a candle with one shadow of at least two thirds of its range, so that the body lies in the last third: 100
 * where that is the lower shadow, −100 where it is the upper one. The colour of the body does not matter.
 * Others also require that the shadow extends beyond the previous candles, or that the body is short compared with
 * theirs.
 * Source: Pring, Pring on Price Patterns (2005), the Pinocchio bar; two thirds is the most used share.
 */
export function pinbar(frame: Frame, from: i32, to: i32): void {
  const candles = CandlePairs.of(frame)
  const out = frame.output(0)
  const zero = f64x2.splat(0)
  const minus = f64x2.splat(-0.0)
  const share = f64x2.splat(2.0 / 3.0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const range = f64x2.sub(candles.high(i), candles.low(i))
    const long = f64x2.mul(share, range)
    const isUpper = v128.not(areShorter(candles.upperShadow(i), long))
    const isLower = v128.not(areShorter(candles.lowerShadow(i), long))
    const fires = v128.and(v128.or(isUpper, isLower), f64x2.gt(range, zero))
    out.setPair(i, signedHundred(fires, v128.and(isUpper, minus)))
  }
  out[to] = after
}
