import { Column } from '../../frame'

/**
 * Size of the state of a present average in numbers: the mean (the sum while seeding) and the count of values seen while
 * seeding.
 */
export const presentAverageState = 2

/**
 * Exponential average that skips missing values. Returns NaN where x is NaN, which leaves the average unchanged, and before
 * the `period`th value, where the average is the mean of the values so far; then mean + alpha·(x − mean). A period of 1
 * starts as the first value. x and out may be the same column. Must be called from candle 0 on.
 */
export function presentAverage(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  alpha: f64,
  state: Column,
): void {
  let mean = from === 0 ? 0 : state[0]
  let seen = from === 0 ? 0 : <i32>state[1]
  const keep = 1 - alpha
  let i = from
  for (; i < to && seen < period; i++) {
    const value = x[i]
    out[i] = NaN
    if (isNaN(value)) continue
    mean += value
    seen++
    if (seen === period) {
      mean /= <f64>period
      out[i] = mean
    }
  }
  for (; i < to; i++) {
    const value = x[i]
    if (isNaN(value)) out[i] = NaN
    else {
      mean = mean * keep + value * alpha
      out[i] = mean
    }
  }
  state[0] = mean
  state[1] = <f64>seen
}

/**
 * Present averages of period 1 of two columns, and present averages of these averages, in place. The values equal those of
 * four calls of `presentAverage`, whose states follow each other: x once, x twice, y once, y twice.
 */
export function presentAveragesOfTwo(
  x: Column,
  y: Column,
  from: i32,
  to: i32,
  onceAlpha: f64,
  twiceAlpha: f64,
  state: Column,
): void {
  // Each begins with the first value of its column, and the four may begin at different candles.
  let i = from
  while (i < to && (i === 0 || state[1] + state[3] + state[5] + state[7] < 4)) {
    presentAverage(x, x, i, i + 1, 1, onceAlpha, state)
    presentAverage(x, x, i, i + 1, 1, twiceAlpha, state.from(2))
    presentAverage(y, y, i, i + 1, 1, onceAlpha, state.from(4))
    presentAverage(y, y, i, i + 1, 1, twiceAlpha, state.from(6))
    i++
  }
  if (i === to) return
  // The lanes are x and y. Both stages share a loop, so that a processor works on the second stage while it waits for the
  // first.
  let once = f64x2.replace_lane(f64x2.splat(state[0]), 1, state[4])
  let twice = f64x2.replace_lane(f64x2.splat(state[2]), 1, state[6])
  const onceWeight = f64x2.splat(onceAlpha)
  const twiceWeight = f64x2.splat(twiceAlpha)
  const onceKeep = f64x2.splat(1 - onceAlpha)
  const twiceKeep = f64x2.splat(1 - twiceAlpha)
  const none = f64x2.splat(NaN)
  for (; i < to; i++) {
    const value = f64x2.replace_lane(f64x2.splat(x[i]), 1, y[i])
    const nextOnce = f64x2.add(f64x2.mul(once, onceKeep), f64x2.mul(value, onceWeight))
    const nextTwice = f64x2.add(f64x2.mul(twice, twiceKeep), f64x2.mul(nextOnce, twiceWeight))
    const isMissing = f64x2.ne(nextOnce, nextOnce)
    let result = nextTwice
    if (v128.any_true(isMissing)) {
      once = v128.bitselect(once, nextOnce, f64x2.ne(value, value))
      twice = v128.bitselect(twice, nextTwice, isMissing)
      result = v128.bitselect(none, nextTwice, isMissing)
    } else {
      once = nextOnce
      twice = nextTwice
    }
    x[i] = f64x2.extract_lane(result, 0)
    y[i] = f64x2.extract_lane(result, 1)
  }
  state[0] = f64x2.extract_lane(once, 0)
  state[2] = f64x2.extract_lane(twice, 0)
  state[4] = f64x2.extract_lane(once, 1)
  state[6] = f64x2.extract_lane(twice, 1)
}

/** The weight of the newest value in an exponential average over `period` candles. */
export function weightOf(period: i32): f64 {
  return 2 / <f64>(period + 1)
}
