import { Column } from '../../frame'

/** Writes the means of high, low and twice the close of the candles [from, to) to `out`. */
export function weightedCloses(
  high: Column,
  low: Column,
  close: Column,
  out: Column,
  from: i32,
  to: i32,
): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const price = close.pair(i)
    const sum = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), f64x2.add(price, price))
    out.setPair(i, f64x2.mul(sum, f64x2.splat(0.25)))
  }
  out[to] = after
}
