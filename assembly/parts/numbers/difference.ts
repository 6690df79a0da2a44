import { Column } from '../../frame'

/** Writes `out[i] = a[i] − b[i]` for i in [from, to). `out` may be `a` or `b`. */
export function difference(a: Column, b: Column, out: Column, from: i32, to: i32): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.sub(a.pair(i), b.pair(i)))
  out[to] = after
}
