import { Column } from '../../frame'
import { quotients } from '../numbers/quotient'
import { deviationAlone } from './deviation'
import { movingSlope } from './regression'

/**
 * Pearson's correlation of the last `period` values of `x` with time, 0 where they are all equal: the slope of the line
 * of least squares times the deviation of time, divided by the deviation of the values. Writes `out[i]` for i in
 * [from, to); `from ≥ period − 1`. `spreads` and `suffixes` are scratch columns.
 */
export function trendCorrelation(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  spreads: Column,
  suffixes: Column,
): void {
  if (from >= to) return
  const size = <f64>period
  deviationAlone(x, 0, spreads.from(-from), from, to, period, suffixes, 1 / sqrt((size * size - 1) / 12))
  movingSlope(x, 0, out, from, to, period, suffixes)
  const one = f64x2.splat(1)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    // NaN is kept.
    const ratio = quotients(out.pair(i), spreads.pair(i - from), 0)
    out.setPair(i, f64x2.pmax(f64x2.pmin(ratio, one), f64x2.splat(-1)))
  }
  out[to] = after
}
