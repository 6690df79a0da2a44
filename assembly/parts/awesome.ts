import { Column } from '../frame'
import { medianPrices } from './median-price'
import { movingSum } from './sums'

/**
 * Awesome oscillator: the mean midpoint of `fast` candles minus that of `slow` candles, for [from, to);
 * `from ≥ max(fast, slow) − 1`. `middles`, `slows` and `suffixes` are scratch columns.
 */
export function awesomeOscillator(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  fast: i32,
  slow: i32,
  middles: Column,
  slows: Column,
  suffixes: Column,
): void {
  if (from >= to) return
  const oldest = from - max(fast, slow) + 1
  const middle = middles.from(-oldest)
  const slowSum = slows.from(-from)
  medianPrices(high, low, middle, oldest, to)
  movingSum(middle, 0, out, from, to, fast, suffixes)
  movingSum(middle, 0, slowSum, from, to, slow, suffixes)
  const fastShare = 1 / <f64>fast
  const slowShare = 1 / <f64>slow
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const fastMean = f64x2.mul(out.pair(i), f64x2.splat(fastShare))
    out.setPair(i, f64x2.sub(fastMean, f64x2.mul(slowSum.pair(i), f64x2.splat(slowShare))))
  }
  out[to] = after
}
