import { Column } from '../../frame'

// The last `period` values in ascending order, kept in a kernel's state: each candle replaces one value by another, and
// the values between the two positions move by one. A missing value is stored as infinity, and so is each position
// before the first `period` candles. The content depends only on the values of the window, not on the split of the
// history.
//
//   ├─ the values in ascending order ─┼─ infinity ─┼─ the value that leaves with the next candle ─┼─ any ─┤

/** Prepares the window in `state` before the candles of a call. */
export function openWindow(state: Column, period: i32, from: i32): void {
  if (from > 0) return
  for (let k = 0; k <= period + 2; k++) state[k] = Infinity
}

/** Larger windows skip blocks of values that do not move. */
const wholePeriod = 64

/**
 * Adds candle `i` of `x` to the window; must be called for each candle in [from, to). Moves two values at a time and
 * reads all of them, because the two positions are unpredictable, and branches on them would stall.
 */
export function slideWindow(state: Column, period: i32, x: Column, from: i32, i: i32): void {
  const old = i === from ? state[period + 1] : i < period ? Infinity : present(x[i - period])
  const value = present(x[i])
  let at = changetype<usize>(state)
  let end = at + ((<usize>((period + 1) & ~1)) << 3)
  if (period > wholePeriod) {
    const lowest = min(old, value)
    const highest = max(old, value)
    while (at + 128 < end && load<f64>(at, 120) < lowest) at += 128
    while (at + 128 < end && load<f64>(end - 128) > highest) end -= 128
  }
  // `pmax` and `pmin` skip NaN as their second operand; a number with all bits set is NaN.
  const olds = f64x2.splat(old)
  const values = f64x2.splat(value)
  let pair = v128.load(at)
  if (value > old) {
    // Values from the old one on give way to the next one, unless it is above the new value.
    for (; at < end; at += 16) {
      const next = v128.load(at, 16)
      const moved = f64x2.pmin(v128.shuffle<f64>(pair, next, 1, 2), values)
      v128.store(at, f64x2.pmax(pair, v128.or(moved, f64x2.lt(pair, olds))))
      pair = next
    }
  } else {
    // Values up to the old one give way to the one before, unless it is below the new value.
    let before = f64x2.splat(-Infinity)
    for (; at < end; at += 16) {
      const moved = f64x2.pmax(v128.shuffle<f64>(before, pair, 1, 2), values)
      v128.store(at, f64x2.pmin(pair, v128.or(moved, f64x2.gt(pair, olds))))
      before = pair
      pair = v128.load(at, 16)
    }
  }
}

/** Saves the value that leaves with candle `to`. */
export function closeWindow(state: Column, period: i32, x: Column, to: i32): void {
  state[period + 1] = to < period ? Infinity : present(x[to - period])
}

/** Whether the window has no missing value. */
export function isComplete(state: Column, period: i32): bool {
  return state[period - 1] < Infinity
}

/** The value at position `place`, between 0 and period − 1, of the sorted window, interpolated linearly. */
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
