import { Column } from '../../frame'
import { percentAbove } from '../numbers/percent'
import { movingMean } from './sums'

/**
 * Adds `weight` times the mean of the last `period` changes of `x` over `distance` candles, in per cent, to `total[i]` for i
 * in [from, to); NaN while a change from 0 is among them. `from ≥ distance + period − 1` where there is such a candle. All columns but x are scratch
 * columns; `means` and `total` are numbered as x is.
 */
export function addMeanRate(
  x: Column,
  distance: i32,
  period: i32,
  weight: f64,
  total: Column,
  from: i32,
  to: i32,
  rateColumn: Column,
  means: Column,
  suffixes: Column,
): void {
  if (from >= to) return
  const oldest = from - period + 1
  const rates = rateColumn.from(-oldest)
  percentAbove(x, x.from(-distance), rates, oldest, to, NaN)
  movingMean(rates, distance, means, from, to, period, suffixes)
  const weights = f64x2.splat(weight)
  for (let i = from; i < to; i += 2)
    total.setPair(i, f64x2.add(total.pair(i), f64x2.mul(means.pair(i), weights)))
}
