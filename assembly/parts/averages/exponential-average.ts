import { Column } from '../../frame'
import { Segments } from './segments'

/** Numbers of state of an exponential average. */
export const exponentialState: i32 = 1

/** The values of a column. A view of it. */
@unmanaged
class Values extends Column {
  @inline
  pairOf(_low: Column, _close: Column, i: i32): v128 {
    return this.pair(i)
  }
}

/**
 * Exponential smoothing seeded with the mean of the first `period` values, as in TA-Lib: NaN before
 * `start + period − 1`, the mean there, then mean + alpha·(x − mean). `x` has values from `start` on. It may be `out`, which
 * takes more time over a long series.
 * State: `exponentialState` numbers (the average; while it is being seeded, the sum of its first values).
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
  average<Values>(x, x, x, start, out, from, to, period, alpha, state)
}

/**
 * Exponential smoothing of the values that `X`, a view of the highs, makes of three columns. These must not be `out`, except
 * for values of a single column.
 */
export function average<X>(
  high: Column,
  low: Column,
  close: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  alpha: f64,
  state: Column,
): void {
  const x = changetype<X>(high)
  if (alpha === 1) {
    for (let i = from; i < to; i++) out[i] = i < start ? NaN : f64x2.extract_lane(x.pairOf(low, close, i), 0)
    state[0] = 0
    return
  }
  const seed = start + period - 1
  let sum = from <= start ? 0 : state[0]
  let i = from
  for (const end = min(to, start); i < end; i++) out[i] = NaN
  for (const end = min(to, seed + 1); i < end; i++) {
    sum += f64x2.extract_lane(x.pairOf(low, close, i), 0)
    if (i === seed) sum /= <f64>period
    out[i] = i < seed ? NaN : sum
  }
  if (from <= seed) state[0] = sum
  if (changetype<usize>(high) === changetype<usize>(out))
    smoothed$inOrder<X>(high, low, close, out, i, to, alpha, state)
  else smoothed<X>(high, low, close, out, i, to, alpha, state)
}

/** The averages of candles after the seed. */
function smoothed<X>(
  high: Column,
  low: Column,
  close: Column,
  out: Column,
  from: i32,
  to: i32,
  alpha: f64,
  state: Column,
): void {
  Segments.interleave(alpha, 1)
  const x = changetype<X>(high)
  const weight = f64x2.splat(alpha)
  let mean = Segments.number(state, 0)
  for (let i = from; i < to; i++) {
    const value = Segments.lanes(x.pairOf(low, close, i))
    mean = f64x2.add(mean, f64x2.mul(f64x2.sub(value, mean), weight))
    Segments.write(out, i, mean)
  }
  Segments.setNumber(state, 0, mean)
}
