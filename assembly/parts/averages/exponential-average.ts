import { Column } from '../../frame'

/**
 * Exponential smoothing seeded with the mean of the first `period` values, as in TA-Lib: NaN before
 * `start + period − 1`, the mean there, then mean + alpha·(x − mean). `x` has values from `start` on.
 * State: one number (the sum while seeding, the mean afterwards).
 */
export function exponentialAverage(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  alpha: f64,
  state: Column,
): void {
  const seed = start + period - 1
  let mean = from <= start ? 0 : state[0]
  let i = from
  for (const end = min(to, start); i < end; i++) out[i] = NaN
  for (const end = min(to, seed); i < end; i++) {
    mean += x[i]
    out[i] = NaN
  }
  if (i === seed && i < to) {
    mean = (mean + x[i]) / <f64>period
    out[i] = mean
    i++
  }
  const keep = 1 - alpha
  for (; i < to; i++) {
    mean = mean * keep + x[i] * alpha
    out[i] = mean
  }
  state[0] = mean
}
