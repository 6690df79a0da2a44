import { Column } from '../../frame'

/**
 * Replaces the extremes over `period` values of `x` in `out` by their ages, as numbers from −(period − 1) to 0, for i
 * in [from, to): the highest with `sign` 1, the lowest with −1. The oldest of equal values counts. Positions of
 * extremes never decrease, so each value is read once.
 */
export function extremeAges(x: Column, out: Column, from: i32, to: i32, period: i32, sign: f64): void {
  let at: i32 = -1
  let best: f64 = 0
  for (let i = from; i < to; i++) {
    const oldest = i - period + 1
    if (at < oldest) {
      at = oldest
      for (const extreme = out[i]; at < i && x[at] !== extreme; ) at++
      best = x[at] * sign
    } else if (x[i] * sign > best) {
      best = x[i] * sign
      at = i
    }
    out[i] = <f64>(at - i)
  }
}
