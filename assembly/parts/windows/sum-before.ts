import { Column } from '../../frame'
import { movingSum } from './sums'

/**
 * Writes the sum of |y − x| over the `period` candles before candle i to `out[i]` for i in [from, to); `from ≥ period`.
 * `distanceColumn` and `suffixes` are scratch columns.
 */
export function distancesBefore(
  x: Column,
  y: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  distanceColumn: Column,
  suffixes: Column,
): void {
  if (from >= to) return
  const oldest = from - period
  const distances = distanceColumn.from(-oldest)
  for (let i = oldest; i < to; i += 2) distances.setPair(i, f64x2.abs(f64x2.sub(y.pair(i), x.pair(i))))
  // The candles before candle i are the window that ends one candle earlier.
  movingSum(distances, 0, out.from(1), from - 1, to - 1, period, suffixes)
}
