import { Column } from '../../frame'
import { exponentialAverage } from '../averages/exponential-average'

/** Numbers of state of a true strength. */
export const trueStrengthState = 4

/**
 * Writes `scale` times the twice smoothed changes of x by the twice smoothed absolute changes; NaN before
 * longPeriod + shortPeriod − 1 and where the divisor is 0. `changes` and `sizes` are scratch columns from `from` on.
 */
export function trueStrength(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  longPeriod: i32,
  shortPeriod: i32,
  scale: f64,
  changes: Column,
  sizes: Column,
  state: Column,
): void {
  const long = 2 / <f64>(longPeriod + 1)
  const short = 2 / <f64>(shortPeriod + 1)
  for (let i = max(from, 1); i < to; i++) {
    changes[i] = x[i] - x[i - 1]
    sizes[i] = abs(changes[i])
  }
  exponentialAverage(changes, 1, changes, from, to, longPeriod, long, state)
  exponentialAverage(changes, longPeriod, changes, from, to, shortPeriod, short, state.from(1))
  exponentialAverage(sizes, 1, sizes, from, to, longPeriod, long, state.from(2))
  exponentialAverage(sizes, longPeriod, sizes, from, to, shortPeriod, short, state.from(3))
  for (let i = from; i < to; i++) out[i] = sizes[i] !== 0 ? (scale * changes[i]) / sizes[i] : 0
}
