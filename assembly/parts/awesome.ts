import { Column } from '../frame'
import { difference } from './difference'
import { movingMean } from './sums'

/** Writes `out[i] = (high[i] + low[i]) / 2` for i in [from, to). */
export function midpoints(high: Column, low: Column, out: Column, from: i32, to: i32): void {
  let i = from
  for (; i + 1 < to; i += 2) {
    out.setPair(i, f64x2.mul(f64x2.add(high.pair(i), low.pair(i)), f64x2.splat(0.5)))
  }
  if (i < to) out[i] = (high[i] + low[i]) * 0.5
}

/**
 * Awesome oscillator: the mean midpoint of `fast` candles minus that of `slow` candles, for [from, to);
 * `from ≥ max(fast, slow) − 1`. `middles`, `slows` and `suffixes` are scratch columns.
 */
export function awesome(
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
  const slowMean = slows.from(-from)
  midpoints(high, low, middle, oldest, to)
  movingMean(middle, 0, out, from, to, fast, suffixes)
  movingMean(middle, 0, slowMean, from, to, slow, suffixes)
  difference(out, slowMean, out, from, to)
}
