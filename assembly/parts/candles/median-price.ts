import { Column } from '../../frame'

/** Writes `out[i] = (high[i] + low[i]) / 2` for i in [from, to). */
export function medianPrices(high: Column, low: Column, out: Column, from: i32, to: i32): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    out.setPair(i, f64x2.mul(f64x2.add(high.pair(i), low.pair(i)), f64x2.splat(0.5)))
  }
  out[to] = after
}
