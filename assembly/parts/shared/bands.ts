import { Column } from '../../frame'

/**
 * Replaces the widths in `upper` by bands, `factor` widths above and below `middle`, for i in [from, to). `lower` may
 * not be one of the other columns.
 */
export function bandsAround(
  middle: Column,
  upper: Column,
  lower: Column,
  from: i32,
  to: i32,
  factor: f64,
): void {
  const factors = f64x2.splat(factor)
  const afterUpper = upper[to]
  const afterLower = lower[to]
  for (let i = from; i < to; i += 2) {
    const width = f64x2.mul(upper.pair(i), factors)
    upper.setPair(i, f64x2.add(middle.pair(i), width))
    lower.setPair(i, f64x2.sub(middle.pair(i), width))
  }
  upper[to] = afterUpper
  lower[to] = afterLower
}
