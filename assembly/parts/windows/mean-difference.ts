import { Column } from '../../frame'
import { difference } from '../numbers/difference'
import { movingMean } from './sums'

/**
 * Writes the mean of the last `fast` values of `x` less that of the last `slow` ones for i in [from, to). `x` has values
 * from `start` on; `from ≥ start + max(fast, slow) − 1`. `slows` and `suffixes` are scratch columns.
 */
export function meanDifference(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  fast: i32,
  slow: i32,
  slows: Column,
  suffixes: Column,
): void {
  const slowMeans = slows.from(-from)
  movingMean(x, start, out, from, to, fast, suffixes)
  movingMean(x, start, slowMeans, from, to, slow, suffixes)
  difference(out, slowMeans, out, from, to)
}
