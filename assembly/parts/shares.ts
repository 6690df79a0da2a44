import { Column } from '../frame'
import { movingSum } from './sums'

/**
 * Adds `weight·Σ part / Σ whole` over the candles i − period + 1 … i to `out[i]` for i in [from, to), nothing where
 * the whole is 0; `from ≥ start + period − 1`. The three columns at the end are working space: the sums of [from, to),
 * and one that holds at least 2·period values.
 */
export function addMovingShare(
  part: Column,
  whole: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  weight: f64,
  parts: Column,
  wholes: Column,
  suffixes: Column,
): void {
  movingSum(part, start, parts, from, to, period, suffixes)
  movingSum(whole, start, wholes, from, to, period, suffixes)
  const weights = f64x2.splat(weight)
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const all = wholes.pair(i)
    const share = f64x2.div(f64x2.mul(parts.pair(i), weights), all)
    out.setPair(i, f64x2.add(out.pair(i), v128.and(share, f64x2.ne(all, zero))))
  }
  out[to] = after
}
