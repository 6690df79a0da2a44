import { Column } from '../frame'

// The candles of a window in ascending order of their values: `values` has the values and `times` the candles that they
// belong to. One candle leaves and one comes at a time, and those between the two places move by one. Which of two equal
// values comes first depends on how the history was cut, so nothing may depend on that. A missing value is held as infinity.

/** Sorts the candles [from, to) of `x`. */
export function sortTimes(values: Column, times: Column, x: Column, from: i32, to: i32): void {
  for (let i = from; i < to; i++) settle(values, times, i - from, i - from + 1, x[i], i)
}

/** Puts candle `i` of `x` into the place of the one that leaves a window of `period` candles with it. */
export function slideTimes(values: Column, times: Column, x: Column, i: i32, period: i32): void {
  const old = <f64>(i - period)
  let place: i32 = 0
  while (times[place] !== old) place++
  settle(values, times, place, period, x[i], i)
}

/** Moves the candle in a place of the order, which has a new value, to where it belongs among the first `count`. */
function settle(values: Column, times: Column, place: i32, count: i32, x: f64, time: i32): void {
  const value = isNaN(x) ? Infinity : x
  let k = place
  for (; k + 1 < count && values[k + 1] < value; k++) {
    values[k] = values[k + 1]
    times[k] = times[k + 1]
  }
  for (; k > 0 && values[k - 1] > value; k--) {
    values[k] = values[k - 1]
    times[k] = times[k - 1]
  }
  values[k] = value
  times[k] = <f64>time
}
