import { Column } from '../../frame'
import { rounding } from '../numbers/tie'

/**
 * Adds candle `i` to the ranks of the last `period` values of `x`: `ranks[j]` is the rank of candle j among them, less 1;
 * values that are equal but for rounding share the mean of their ranks. `old` is the value that leaves, NaN where none does.
 * Ranks are halves of whole numbers, so that they are exact however often they change.
 */
export function slideRanks(x: Column, ranks: Column, i: i32, period: i32, old: f64): void {
  const oldest = max(i - period + 1, 0)
  const now = x[i]
  const half = f64x2.splat(0.5)
  const nows = f64x2.splat(now)
  const olds = f64x2.splat(old)
  const nowSizes = f64x2.abs(nows)
  const oldSizes = f64x2.abs(olds)
  const shares = f64x2.splat(rounding)
  // A value above `now` moves up by 1, one that equals it by a half; each mask of ≥ and > stands for a half. So do those of
  // < and ≤, of what lies below `now`.
  let sums = f64x2.splat(0)
  for (let j = oldest; j < i; j += 2) {
    const value = x.pair(j)
    const size = f64x2.abs(value)
    const above = f64x2.sub(value, nows)
    const margin = f64x2.mul(f64x2.pmax(size, nowSizes), shares)
    const isAbove = v128.and(f64x2.gt(above, margin), half)
    const isNotBelow = v128.and(f64x2.ge(above, f64x2.neg(margin)), half)
    const aboveOld = f64x2.sub(value, olds)
    const oldMargin = f64x2.mul(f64x2.pmax(size, oldSizes), shares)
    const wasAbove = v128.and(f64x2.gt(aboveOld, oldMargin), half)
    const wasNotBelow = v128.and(f64x2.ge(aboveOld, f64x2.neg(oldMargin)), half)
    const steps = f64x2.add(f64x2.sub(isAbove, wasAbove), f64x2.sub(isNotBelow, wasNotBelow))
    ranks.setPair(j, f64x2.add(ranks.pair(j), steps))
    const isBelow = v128.and(f64x2.lt(above, f64x2.neg(margin)), half)
    sums = f64x2.add(sums, f64x2.add(isBelow, v128.and(f64x2.le(above, margin), half)))
  }
  const below = f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1)
  // Where their number is odd, the last lane was `now` itself.
  ranks[i] = ((i - oldest) & 1) !== 0 && !isNaN(now) ? below - 0.5 : below
}

/** Pearson's correlation of the ranks at candle `i`; NaN where a column is flat or a value is missing. */
export function rankCorrelation(
  x: Column,
  y: Column,
  xRanks: Column,
  yRanks: Column,
  i: i32,
  period: i32,
): f64 {
  const middle = 0.5 * <f64>(period - 1)
  let xx: f64 = 0
  let yy: f64 = 0
  let xy: f64 = 0
  let missing: i32 = 0
  for (let j = i - period + 1; j <= i; j++) {
    const a = xRanks[j] - middle
    const b = yRanks[j] - middle
    xx += a * a
    yy += b * b
    xy += a * b
    missing |= i32(isNaN(x[j])) | i32(isNaN(y[j]))
  }
  if (missing !== 0) return NaN
  return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0
}
