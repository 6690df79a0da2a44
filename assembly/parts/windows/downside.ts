import { Column } from '../../frame'
import { returnsOf } from '../numbers/returns'
import { movingMean } from './sums'

/**
 * Writes the root of the mean squared shortfall of the last `period` returns below `target` to `out[i]` for i in [from, to),
 * and the returns to `returns`; `from ≥ period`. `shortfalls` and `suffixes` are scratch columns. The caller chooses the
 * first candle of `returns` and of `shortfalls`.
 */
export function downsideDeviation(
  x: Column,
  returns: Column,
  shortfalls: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  target: f64,
  suffixes: Column,
): void {
  const oldest = from - period + 1
  returnsOf(x, returns, oldest, to)
  for (let i = oldest; i < to; i++) {
    const shortfall = Math.min(0, returns[i] - target)
    shortfalls[i] = shortfall * shortfall
  }
  movingMean(shortfalls, 1, out, from, to, period, suffixes)
  for (let i = from; i < to; i++) out[i] = sqrt(out[i])
}
