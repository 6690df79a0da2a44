import { Column } from '../../frame'
import { clearFirst, delayed, endPair, endsOdd } from './decayed-sums'

/** Numbers of state of an exponential average. */
export const exponentialState: i32 = 8

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
 * `start + period − 1`, the mean there, then mean + alpha·(x − mean). `x` has values from `start` on. It may be `out`.
 * State: `exponentialState` numbers, four pairs (while it is being seeded, the sum of its first values).
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
  clearFirst(from, state, exponentialState)
  const x = changetype<X>(high)
  if (alpha === 1) {
    for (let i = from; i < to; i++) out[i] = i < start ? NaN : f64x2.extract_lane(x.pairOf(low, close, i), 0)
    return
  }
  const seed = start + period - 1
  let sum = from <= start ? 0 : state[0]
  let i = from
  for (const end = min(to, start); i < end; i++) out[i] = NaN
  for (const end = min(to, seed + 1); i < end; i++) {
    const value = f64x2.extract_lane(x.pairOf(low, close, i), 0)
    sum += value
    if (i === seed) {
      sum /= <f64>period
      begin(value, value - sum, 1 - alpha, state)
    }
    out[i] = i < seed ? NaN : sum
  }
  if (from <= seed && to <= seed) state[0] = sum
  if (i < to) smoothed<X>(high, low, close, out, i, to, 1 - alpha, state)
}

/** Writes the state after the seed, as if nothing but its lag had been added before it. */
function begin(value: f64, lag: f64, keep: f64, state: Column): void {
  state[0] = value - lag / keep
  state[1] = value
  state[2] = 0
  state[3] = lag
  state[4] = 0
  state[5] = 0
  state[6] = 0
  state[7] = lag
}

/**
 * The averages of candles after the seed, by their lags. With c, the changes of x, a lag is keep·c[i] + keep²·c[i − 1] +
 * keep²·lag[i − 2], and follows from that of four candles earlier. The changes since one candle and since two replace c, because
 * the latter need no exchange of lanes.
 */
function smoothed<X>(
  high: Column,
  low: Column,
  close: Column,
  out: Column,
  from: i32,
  to: i32,
  keep: f64,
  state: Column,
): void {
  if (endsOdd(from, to)) {
    smoothed<X>(high, low, close, out, from, to - 1, keep, state)
    from = to - 1
  }
  const x = changetype<X>(high)
  const once = f64x2.splat(keep * (1 - keep))
  const twice = f64x2.splat(keep * keep)
  const fourTimes = f64x2.splat(keep * keep * (keep * keep))
  let values = state.pair(0)
  let sums = state.pair(2)
  let olderLags = state.pair(4)
  let lags = state.pair(6)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const pair = x.pairOf(low, close, i)
    const change = f64x2.sub(pair, delayed(values, pair))
    const sum = f64x2.add(f64x2.mul(change, once), f64x2.mul(f64x2.sub(pair, values), twice))
    const lag = f64x2.add(f64x2.mul(olderLags, fourTimes), f64x2.add(sum, f64x2.mul(sums, twice)))
    out.setPair(i, f64x2.sub(pair, lag))
    values = pair
    sums = sum
    olderLags = lags
    lags = lag
  }
  out[to] = after
  endPair(state, 0, values, from, to)
  endPair(state, 2, sums, from, to)
  endPair(state, 4, olderLags, from, to)
  endPair(state, 6, lags, from, to)
}
