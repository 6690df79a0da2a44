import { Column } from '../frame'
import { trueRange } from './truerange'

// Wilder's directional movement. A vector carries both directions: lane 0 upward, lane 1 downward.

/**
 * The movement of candle `i`: only the larger direction counts, and only if positive. Of two equal ones neither
 * counts, as in TA-Lib, or both if `areBoth`, as in Tulip.
 */
function movement(high: Column, low: Column, i: i32, areBoth: bool): v128 {
  const rise = high[i] - high[i - 1]
  const fall = low[i - 1] - low[i]
  const both = f64x2.replace_lane(f64x2.splat(rise), 1, fall)
  const other = f64x2.replace_lane(f64x2.splat(fall), 1, rise)
  const isLarger = areBoth ? f64x2.ge(both, other) : f64x2.gt(both, other)
  return v128.and(both, v128.and(f64x2.gt(both, f64x2.splat(0)), isLarger))
}

/** The difference of upward and downward in percent of their sum, or `otherwise` where nothing moved. */
function imbalance(movements: v128, otherwise: f64): f64 {
  const up = f64x2.extract_lane(movements, 0)
  const down = f64x2.extract_lane(movements, 1)
  const sum = up + down
  return sum > 0 ? (Math.abs(up - down) * 100) / sum : otherwise
}

/**
 * Wilder-smoothed sums of the movements, seeded with the sums of the first period − 1: NaN before candle period − 1,
 * and on the first candle, which has no movement.
 * State: two numbers (the sums).
 */
export function directionalMovements(
  high: Column,
  low: Column,
  plus: Column,
  minus: Column,
  from: i32,
  to: i32,
  period: i32,
  areBoth: bool,
  state: Column,
): void {
  const lookback = max(1, period - 1)
  const keep = f64x2.splat(1 - 1 / <f64>period)
  let sums = from === 0 ? f64x2.splat(0) : state.pair(0)
  let i = from
  for (const end = min(to, period); i < end; i++) {
    if (i > 0) sums = f64x2.add(sums, movement(high, low, i, areBoth))
    plus[i] = i < lookback ? NaN : f64x2.extract_lane(sums, 0)
    minus[i] = i < lookback ? NaN : f64x2.extract_lane(sums, 1)
  }
  for (; i < to; i++) {
    sums = f64x2.add(f64x2.mul(sums, keep), movement(high, low, i, areBoth))
    plus[i] = f64x2.extract_lane(sums, 0)
    minus[i] = f64x2.extract_lane(sums, 1)
  }
  state.setPair(0, sums)
}

/**
 * Directional indicators: `scale` times the Wilder-smoothed movements by the true range smoothed alike, all seeded
 * with the sums of the first period − 1: NaN before `lookback` ≥ 1. Where there was no range they are 0, as in
 * TA-Lib, or NaN if `areBoth`, as in Tulip, which counts both of two equal movements as well.
 * State: three numbers (both movements and the range).
 */
export function directionalIndicators(
  high: Column,
  low: Column,
  close: Column,
  plus: Column,
  minus: Column,
  from: i32,
  to: i32,
  period: i32,
  lookback: i32,
  scale: f64,
  areBoth: bool,
  state: Column,
): void {
  const keep = 1 - 1 / <f64>period
  const zero = f64x2.splat(0)
  let sums = from === 0 ? zero : state.pair(0)
  let range = from === 0 ? 0 : state[2]
  for (let i = from; i < to; i++) {
    if (i >= period) {
      sums = f64x2.mul(sums, f64x2.splat(keep))
      range *= keep
    }
    if (i > 0) {
      sums = f64x2.add(sums, movement(high, low, i, areBoth))
      range += trueRange(high, low, close, i)
    }
    if (i < lookback) {
      plus[i] = NaN
      minus[i] = NaN
      continue
    }
    const ranges = f64x2.splat(range)
    let shares = f64x2.div(f64x2.mul(sums, f64x2.splat(scale)), ranges)
    if (!areBoth) shares = v128.and(shares, f64x2.ne(ranges, zero))
    plus[i] = f64x2.extract_lane(shares, 0)
    minus[i] = f64x2.extract_lane(shares, 1)
  }
  state.setPair(0, sums)
  state[2] = range
}

/**
 * Directional movement index: |P − M| in percent of P + M, where P and M are the Wilder-smoothed movements; NaN
 * before candle `period`, 0 until something moves, and as before where nothing is left of any movement.
 * State: three numbers (both movements and the index).
 */
export function directionalIndex(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
): void {
  const keep = f64x2.splat(1 - 1 / <f64>period)
  let sums = from === 0 ? f64x2.splat(0) : state.pair(0)
  let index = from === 0 ? 0 : state[2]
  let i = from
  for (const end = min(to, period); i < end; i++) {
    if (i > 0) sums = f64x2.add(sums, movement(high, low, i, false))
    out[i] = NaN
  }
  for (; i < to; i++) {
    sums = f64x2.add(f64x2.mul(sums, keep), movement(high, low, i, false))
    index = imbalance(sums, index)
    out[i] = index
  }
  state.setPair(0, sums)
  state[2] = index
}

/**
 * Average directional movement index: the Wilder-smoothed directional movement index, seeded with the mean of its
 * first `period` values: NaN before candle 2·period − 1. A candle that leaves no movement leaves it as it was.
 * State: three numbers (both movements and the index, summed while seeding).
 */
export function averageDirectionalIndex(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
): void {
  const share = 1 / <f64>period
  const keep = 1 - share
  const seeded = 2 * period - 1
  let sums = from === 0 ? f64x2.splat(0) : state.pair(0)
  let index = from === 0 ? 0 : state[2]
  let i = from
  if (i === 0 && i < to) {
    out[0] = NaN
    i = 1
  }
  for (const end = min(to, seeded + 1); i < end; i++) {
    if (i >= period) sums = f64x2.mul(sums, f64x2.splat(keep))
    sums = f64x2.add(sums, movement(high, low, i, false))
    if (i >= period) index += imbalance(sums, 0)
    if (i === seeded) index *= share
    out[i] = i === seeded ? index : NaN
  }
  for (; i < to; i++) {
    sums = f64x2.add(f64x2.mul(sums, f64x2.splat(keep)), movement(high, low, i, false))
    index = index * keep + imbalance(sums, index) * share
    out[i] = index
  }
  state.setPair(0, sums)
  state[2] = index
}
