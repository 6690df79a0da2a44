import { Column } from '../../frame'

/** Numbers of state of a true strength. */
export const trueStrengthState = 4

/**
 * Writes `scale` times the twice smoothed changes of x by the twice smoothed absolute changes; NaN before
 * longPeriod + shortPeriod − 1, and 0 where the divisor is 0. State: the averages, or their sums while they are seeded.
 */
export function trueStrength(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  longPeriod: i32,
  shortPeriod: i32,
  scale: f64,
  state: Column,
): void {
  const first = longPeriod + shortPeriod - 1
  const long = 2 / <f64>(longPeriod + 1)
  const short = 2 / <f64>(shortPeriod + 1)
  const longs = f64x2.splat(long)
  const shorts = f64x2.splat(short)
  const keepLong = f64x2.splat(1 - long)
  const keepShort = f64x2.splat(1 - short)
  // The lanes are the changes and their sizes.
  let once = from <= 1 ? f64x2.splat(0) : state.pair(0)
  let twice = from <= 1 ? f64x2.splat(0) : state.pair(2)
  let i = from
  if (i === 0 && i < to) out[i++] = NaN
  for (const end = min(to, first + 1); i < end; i++) {
    const both = changeAndSize(x, i)
    once = f64x2.add(
      i > longPeriod ? f64x2.mul(once, keepLong) : once,
      i > longPeriod ? f64x2.mul(both, longs) : both,
    )
    if (i === longPeriod) once = f64x2.div(once, f64x2.splat(<f64>longPeriod))
    if (i >= longPeriod) twice = f64x2.add(twice, once)
    if (i === first) twice = f64x2.div(twice, f64x2.splat(<f64>shortPeriod))
    out[i] = i === first ? share(twice, scale) : NaN
  }
  // All averages go on in one loop, so that a processor works on the second ones while it waits for the first.
  for (; i < to; i++) {
    once = f64x2.add(f64x2.mul(once, keepLong), f64x2.mul(changeAndSize(x, i), longs))
    twice = f64x2.add(f64x2.mul(twice, keepShort), f64x2.mul(once, shorts))
    out[i] = share(twice, scale)
  }
  state.setPair(0, once)
  state.setPair(2, twice)
}

function changeAndSize(x: Column, i: i32): v128 {
  const change = x[i] - x[i - 1]
  return f64x2.replace_lane(f64x2.splat(change), 1, abs(change))
}

function share(twice: v128, scale: f64): f64 {
  const size = f64x2.extract_lane(twice, 1)
  return size !== 0 ? (scale * f64x2.extract_lane(twice, 0)) / size : 0
}
