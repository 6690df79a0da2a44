import { Column } from '../../frame'

/**
 * Writes x − reference in percent of `reference` for i in [from, to); `otherwise` where the reference is 0. `out` may
 * be either of them.
 */
export function percentAbove(
  x: Column,
  reference: Column,
  out: Column,
  from: i32,
  to: i32,
  otherwise: f64,
): void {
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const whole = reference.pair(i)
    const share = f64x2.div(f64x2.mul(f64x2.sub(x.pair(i), whole), f64x2.splat(100)), whole)
    out.setPair(i, v128.bitselect(share, f64x2.splat(otherwise), f64x2.ne(whole, zero)))
  }
  out[to] = after
}
