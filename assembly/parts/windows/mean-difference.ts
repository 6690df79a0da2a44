import { Column } from '../../frame'
import { differenceToMean, movingMean } from './sums'

/**
 * Writes the mean of the last `fast` values of `x` minus that of the last `slow` ones for i in [from, to). `x` has
 * values from `start` on; `from ≥ start + max(fast, slow) − 1`. `suffixes` is a scratch column.
 */
export function meanDifference(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  fast: i32,
  slow: i32,
  suffixes: Column,
): void {
  movingMean(x, start, out, from, to, fast, suffixes)
  differenceToMean(out, x, start, out, from, to, slow, suffixes)
}
