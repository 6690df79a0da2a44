import { Column } from '../../frame'

// The last `period` values in ascending order, kept in a kernel's state: one value leaves and one comes with each candle,
// and those between the two places move by one. A missing value is held as infinity, and so is each place before the
// first `period` candles. What is held depends on the values of the window alone, not on how the history was cut.
//
//   ├─ the values in ascending order ─┼─ the value that leaves with the next candle ─┤

/** Prepares the window in `state` before the candles of a call. */
export function openWindow(state: Column, period: i32, from: i32): void {
  if (from > 0) return
  for (let k = 0; k <= period; k++) state[k] = Infinity
}

/** Takes candle `i` of `x` into the window; to be called for each candle in [from, to). */
export function slideWindow(state: Column, period: i32, x: Column, from: i32, i: i32): void {
  const old = i === from ? state[period] : i < period ? Infinity : present(x[i - period])
  const value = present(x[i])
  let low: i32 = 0
  let high: i32 = period - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const isBelow = state[middle] < old
    low = isBelow ? middle + 1 : low
    high = isBelow ? high : middle
  }
  // Four values move at a time while all of them have to.
  if (value > old) {
    for (; low + 4 < period && state[low + 4] < value; low += 4) {
      state.setPair(low, state.pair(low + 1))
      state.setPair(low + 2, state.pair(low + 3))
    }
    for (; low + 1 < period && state[low + 1] < value; low++) state[low] = state[low + 1]
  } else {
    for (; low >= 4 && state[low - 4] > value; low -= 4) {
      const older = state.pair(low - 4)
      state.setPair(low - 1, state.pair(low - 2))
      state.setPair(low - 3, older)
    }
    for (; low > 0 && state[low - 1] > value; low--) state[low] = state[low - 1]
  }
  state[low] = value
}

/** Saves which value leaves with candle `to`. */
export function closeWindow(state: Column, period: i32, x: Column, to: i32): void {
  state[period] = to < period ? Infinity : present(x[to - period])
}

/** Whether all values of the window are there. */
export function isComplete(state: Column, period: i32): bool {
  return state[period - 1] < Infinity
}

/** The value at a place between 0 and period − 1 in the sorted window, in a straight line between two of them. */
export function valueAt(sorted: Column, period: i32, place: f64): f64 {
  const k = <i32>place
  if (k + 1 >= period) return sorted[period - 1]
  return sorted[k] + (place - <f64>k) * (sorted[k + 1] - sorted[k])
}

/** The middle value of the sorted window, or the mean of the two in the middle. */
export function medianOf(sorted: Column, period: i32): f64 {
  const upper = sorted[period >> 1]
  return (period & 1) === 1 ? upper : 0.5 * (sorted[(period >> 1) - 1] + upper)
}

/** The value itself, infinity where it is missing; a zero has no sign. */
function present(value: f64): f64 {
  return isNaN(value) ? Infinity : value + 0
}
