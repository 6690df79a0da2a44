import { Column } from '../../frame'

/**
 * Writes `out[i] = scale·(x[i] − x[i − period]) / x[i − period]` for i in [from, to), 0 where the value before is 0;
 * `from ≥ period`. x and out must not overlap.
 */
export function change(x: Column, out: Column, from: i32, to: i32, period: i32, scale: f64): void {
  const scales = f64x2.splat(scale)
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const before = x.pair(i - period)
    const share = f64x2.div(f64x2.sub(x.pair(i), before), before)
    out.setPair(i, v128.and(f64x2.mul(share, scales), f64x2.ne(before, zero)))
  }
  out[to] = after
}

/**
 * Writes `out[i] = scale·x[i] / x[i − period]` for i in [from, to), 0 where the value before is 0; `from ≥ period`.
 * x and out must not overlap.
 */
export function ratio(x: Column, out: Column, from: i32, to: i32, period: i32, scale: f64): void {
  const scales = f64x2.splat(scale)
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const before = x.pair(i - period)
    out.setPair(i, v128.and(f64x2.mul(f64x2.div(x.pair(i), before), scales), f64x2.ne(before, zero)))
  }
  out[to] = after
}
