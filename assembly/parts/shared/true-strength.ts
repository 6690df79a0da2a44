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
  const seeded = max(from, min(to, longPeriod + shortPeriod))
  if (from < seeded) {
    for (let i = max(from, 1); i < seeded; i++) {
      changes[i] = x[i] - x[i - 1]
      sizes[i] = abs(changes[i])
    }
    exponentialAverage(changes, 1, changes, from, seeded, longPeriod, long, state)
    exponentialAverage(changes, longPeriod, changes, from, seeded, shortPeriod, short, state.from(1))
    exponentialAverage(sizes, 1, sizes, from, seeded, longPeriod, long, state.from(2))
    exponentialAverage(sizes, longPeriod, sizes, from, seeded, shortPeriod, short, state.from(3))
    for (let i = from; i < seeded; i++) out[i] = sizes[i] !== 0 ? (scale * changes[i]) / sizes[i] : 0
  }
  // From here on all averages go on in one loop, so that a processor works on the second ones while it waits for the first.
  // The lanes are the changes and their sizes.
  let once = f64x2.replace_lane(f64x2.splat(state[0]), 1, state[2])
  let twice = f64x2.replace_lane(f64x2.splat(state[1]), 1, state[3])
  const longs = f64x2.splat(long)
  const shorts = f64x2.splat(short)
  const keepLong = f64x2.splat(1 - long)
  const keepShort = f64x2.splat(1 - short)
  for (let i = seeded; i < to; i++) {
    const change = x[i] - x[i - 1]
    const both = f64x2.replace_lane(f64x2.splat(change), 1, abs(change))
    once = f64x2.add(f64x2.mul(once, keepLong), f64x2.mul(both, longs))
    twice = f64x2.add(f64x2.mul(twice, keepShort), f64x2.mul(once, shorts))
    const size = f64x2.extract_lane(twice, 1)
    out[i] = size !== 0 ? (scale * f64x2.extract_lane(twice, 0)) / size : 0
  }
  state[0] = f64x2.extract_lane(once, 0)
  state[1] = f64x2.extract_lane(twice, 0)
  state[2] = f64x2.extract_lane(once, 1)
  state[3] = f64x2.extract_lane(twice, 1)
}
