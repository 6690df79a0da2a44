import { Column } from '../../frame'
import { warmup } from '../numbers/warmup'

/** Divides weights by their sum, so that they are those of a mean. */
export function normalizeWeights(weights: Column, count: i32): void {
  let total: f64 = 0
  for (let k = 0; k < count; k++) total += weights[k]
  for (let k = 0; k < count; k++) weights[k] /= total
}

/**
 * Writes `out[i] = Σ weights[k]·x[i − k]` over `count` weights, the one of the newest value first; NaN before `start + count
 * − 1`. `x` has values from `start` on. Each sum is computed separately, from the newest value to the oldest, for eight
 * candles at once.
 */
export function weightedMean(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  weights: Column,
  count: i32,
): void {
  let i = warmup(out, from, to, start + count - 1)
  for (; i + 8 <= to; i += 8) {
    let a = f64x2.splat(0)
    let b = f64x2.splat(0)
    let c = f64x2.splat(0)
    let d = f64x2.splat(0)
    for (let k = 0; k < count; k++) {
      const weight = f64x2.splat(weights[k])
      a = f64x2.add(a, f64x2.mul(weight, x.pair(i - k)))
      b = f64x2.add(b, f64x2.mul(weight, x.pair(i - k + 2)))
      c = f64x2.add(c, f64x2.mul(weight, x.pair(i - k + 4)))
      d = f64x2.add(d, f64x2.mul(weight, x.pair(i - k + 6)))
    }
    out.setPair(i, a)
    out.setPair(i + 2, b)
    out.setPair(i + 4, c)
    out.setPair(i + 6, d)
  }
  const after = out[to]
  for (; i < to; i += 2) {
    let sum = f64x2.splat(0)
    for (let k = 0; k < count; k++) sum = f64x2.add(sum, f64x2.mul(f64x2.splat(weights[k]), x.pair(i - k)))
    out.setPair(i, sum)
  }
  out[to] = after
}
