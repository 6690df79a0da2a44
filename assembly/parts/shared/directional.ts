import { Column } from '../../frame'
import { beginDecay, decayed, saveNewest, shifted } from '../averages/decayed-sums'
import { Halves } from '../averages/halves'
import { pairOfTrueRanges, trueRange } from '../candles/true-range'
import { firstOf, secondOf } from '../numbers/lanes'
import { warmup } from '../numbers/warmup'

// Wilder's directional movement. Every function first writes the movements of the candles, two at a time, to the columns of
// its results, and then smooths them in place.

/**
 * Writes the upward and downward movement of the candles [from, to): only the larger one counts, and only if
 * positive. Of two equal ones neither counts, as in TA-Lib, or both if `areBoth`, as in Tulip. The first candle has
 * none.
 */
function movements(
  high: Column,
  low: Column,
  plus: Column,
  minus: Column,
  from: i32,
  to: i32,
  areBoth: bool,
): void {
  // Without a candle nothing may be written: `to` may lie far before the candles of the frame.
  if (from >= to) return
  let i = from
  if (i === 0) {
    plus[0] = 0
    minus[0] = 0
    i = 1
  }
  const afterPlus = plus[to]
  const afterMinus = minus[to]
  for (; i < to; i += 2) {
    const rise = f64x2.sub(high.pair(i), high.pair(i - 1))
    const fall = f64x2.sub(low.pair(i - 1), low.pair(i))
    plus.setPair(i, movement(rise, fall, areBoth))
    minus.setPair(i, movement(fall, rise, areBoth))
  }
  plus[to] = afterPlus
  minus[to] = afterMinus
}

/** Movement of a candle to one side if it exceeds the movement to the other side, or equals it if `areBoth`; else 0. */
function movement(way: v128, other: v128, areBoth: bool): v128 {
  const isLarger = areBoth ? f64x2.ge(way, other) : f64x2.gt(way, other)
  return v128.and(way, v128.and(isLarger, f64x2.gt(way, f64x2.splat(0))))
}

/** |up − down| in percent of up + down, or `otherwise` where nothing moved. */
function imbalance(up: f64, down: f64, otherwise: f64): f64 {
  const sum = up + down
  return sum > 0 ? 100 * (Math.abs(up - down) / sum) : otherwise
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
  const keep = 1 - 1 / <f64>period
  let up = from === 0 ? 0 : state[0]
  let down = from === 0 ? 0 : state[1]
  let i = from
  const seeded = min(to, period)
  movements(high, low, plus, minus, from, seeded, areBoth)
  for (; i < seeded; i++) {
    up += plus[i]
    down += minus[i]
    plus[i] = i < lookback ? NaN : up
    minus[i] = i < lookback ? NaN : down
  }
  // Movements, two candles at a time, do not wait for the sums: they are computed between their steps.
  for (; i < to; i += 2) {
    const rise = f64x2.sub(high.pair(i), high.pair(i - 1))
    const fall = f64x2.sub(low.pair(i - 1), low.pair(i))
    const rises = movement(rise, fall, areBoth)
    const falls = movement(fall, rise, areBoth)
    up = up * keep + f64x2.extract_lane(rises, 0)
    down = down * keep + f64x2.extract_lane(falls, 0)
    plus[i] = up
    minus[i] = down
    if (i + 1 === to) break
    up = up * keep + f64x2.extract_lane(rises, 1)
    down = down * keep + f64x2.extract_lane(falls, 1)
    plus[i + 1] = up
    minus[i + 1] = down
  }
  state[0] = up
  state[1] = down
}

/** Numbers of state of directional indicators. */
export const directionalState = 12

/**
 * Directional indicators: `scale` times the Wilder-smoothed movements, divided by the true range smoothed alike, all
 * seeded with the sums of the first period − 1: NaN before `lookback` ≥ 1. Where there was no range they are 0. With
 * `areBoth` both of two equal movements count, as in Tulip.
 * State: `directionalState` numbers; in pairs both movements and the range, and the decayed sums of each.
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
  const seeded = min(to, period)
  const sums = state.from(6)
  movements(high, low, plus, minus, from, seeded, areBoth)
  for (let i = from; i < seeded; i++) {
    if (i === 0) for (let k = 0; k < directionalState; k++) state[k] = 0
    sums[1] += plus[i]
    sums[3] += minus[i]
    if (i > 0) sums[5] += trueRange(high, low, close, i)
    const share = sums[5] !== 0 ? scale / sums[5] : 0
    plus[i] = min(sums[1] * share, scale)
    minus[i] = min(sums[3] * share, scale)
    if (i < period - 1) continue
    for (let k = 0; k < 6; k += 2) beginDecay(sums.from(k), sums[k + 1], 0, 1 - 1 / <f64>period)
  }
  const first = max(from, period)
  if (first < to) {
    const end = first + ((to - first) & ~1)
    if (first < end)
      indicatorsOfPairs(high, low, close, plus, minus, first, end, period, scale, areBoth, state)
    if (end < to) indicatorsOfPairs(high, low, close, plus, minus, end, to, period, scale, areBoth, state)
  }
  warmup(plus, from, to, lookback)
  warmup(minus, from, to, lookback)
}

/** The directional indicators of whole pairs of candles, or of a single candle. */
function indicatorsOfPairs(
  high: Column,
  low: Column,
  close: Column,
  plus: Column,
  minus: Column,
  from: i32,
  to: i32,
  period: i32,
  scale: f64,
  areBoth: bool,
  state: Column,
): void {
  Halves.interleave(1 / <f64>period, directionalState)
  const isSingle = to - from === 1
  const keep = f64x2.splat(1 - 1 / <f64>period)
  const twice = f64x2.mul(keep, keep)
  const zero = f64x2.splat(0)
  const scales = f64x2.splat(scale)
  const afterPlus = plus[to]
  const afterMinus = minus[to]
  let rises = state.pair(0)
  let falls = state.pair(2)
  let ranges = state.pair(4)
  let up = state.pair(6)
  let down = state.pair(8)
  let width = state.pair(10)
  for (let i = from; i < to; i += 2) {
    const upward = f64x2.sub(high.pair(i), high.pair(i - 1))
    const downward = f64x2.sub(low.pair(i - 1), low.pair(i))
    const rise = movement(upward, downward, areBoth)
    const fall = movement(downward, upward, areBoth)
    const range = pairOfTrueRanges(high, low, close, i)
    up = decayed(up, rise, shifted(rises, rise), keep, twice)
    down = decayed(down, fall, shifted(falls, fall), keep, twice)
    width = decayed(width, range, shifted(ranges, range), keep, twice)
    rises = rise
    falls = fall
    ranges = range
    const share = v128.andnot(f64x2.div(scales, width), f64x2.eq(width, zero))
    // A movement of the whole range would differ from `scale` in the last digit.
    plus.setPair(i, f64x2.pmin(f64x2.mul(up, share), scales))
    minus.setPair(i, f64x2.pmin(f64x2.mul(down, share), scales))
  }
  plus[to] = afterPlus
  minus[to] = afterMinus
  saveNewest(state, rises, isSingle)
  saveNewest(state.from(2), falls, isSingle)
  saveNewest(state.from(4), ranges, isSingle)
  saveNewest(state.from(6), up, isSingle)
  saveNewest(state.from(8), down, isSingle)
  saveNewest(state.from(10), width, isSingle)
}

/**
 * Directional movement index: |P − M| in percent of P + M, where P and M are the Wilder-smoothed movements; NaN before
 * candle `period`, 0 until something moves, and unchanged where both movements have faded to 0. `minus` is a scratch
 * column.
 * State: three numbers (both movements and the index).
 */
export function directionalIndex(
  high: Column,
  low: Column,
  out: Column,
  minus: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
): void {
  const seeded = min(to, period)
  movements(high, low, out, minus, from, seeded, false)
  let up = from === 0 ? 0 : state[0]
  let down = from === 0 ? 0 : state[1]
  const index = from === 0 ? 0 : state[2]
  let i = from
  for (; i < seeded; i++) {
    up += out[i]
    down += minus[i]
    out[i] = NaN
  }
  state[0] = up
  state[1] = down
  state[2] = index
  indexes(high, low, out, i, to, 1 / <f64>period, 1, state)
}

/**
 * Average directional movement index: the Wilder-smoothed directional movement index, seeded with the mean of its first
 * `period` values: NaN before candle 2·period − 1. A candle that leaves no movement keeps the average unchanged. `minus` is
 * a scratch column. State: three numbers (both movements and the index, summed while seeding).
 */
export function averageDirectionalIndex(
  high: Column,
  low: Column,
  out: Column,
  minus: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
): void {
  const share = 1 / <f64>period
  const keep = 1 - share
  const seeded = 2 * period - 1
  movements(high, low, out, minus, from, min(to, seeded + 1), false)
  let up = from === 0 ? 0 : state[0]
  let down = from === 0 ? 0 : state[1]
  let index = from === 0 ? 0 : state[2]
  let i = from
  for (const end = min(to, seeded + 1); i < end; i++) {
    if (i >= period) {
      up *= keep
      down *= keep
    }
    up += out[i]
    down += minus[i]
    if (i >= period) index += imbalance(up, down, 0)
    if (i === seeded) index *= share
    out[i] = i === seeded ? index : NaN
  }
  state[0] = up
  state[1] = down
  state[2] = index
  indexes(high, low, out, i, to, share, share, state)
}

/** Smoothed directional movement indexes of the candles [from, to); with an `indexShare` of 1 the indexes themselves. */
function indexes(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  share: f64,
  indexShare: f64,
  state: Column,
): void {
  const end = from + ((to - from) & ~1)
  if (from < end) indexesOfPairs(high, low, out, from, end, share, indexShare, state)
  if (end < to) indexesOfPairs(high, low, out, end, to, share, indexShare, state)
}

/** The indexes of whole pairs of candles, or of a single candle. */
function indexesOfPairs(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  share: f64,
  indexShare: f64,
  state: Column,
): void {
  Halves.interleave(share, 3)
  const isSingle = to - from === 1
  const zero = f64x2.splat(0)
  const hundred = f64x2.splat(100)
  const keeps = f64x2.splat(1 - share)
  const indexKeeps = f64x2.splat(1 - indexShare)
  const indexShares = f64x2.splat(indexShare)
  const after = out[to]
  // The movements in two lanes, and the index in both, after the first and after the second candle of a pair.
  let first = state.pair(0)
  let second = first
  let firstIndex = f64x2.splat(state[2])
  let index = firstIndex
  for (let i = from; i < to; i += 2) {
    const upward = f64x2.sub(high.pair(i), high.pair(i - 1))
    const downward = f64x2.sub(low.pair(i - 1), low.pair(i))
    const rises = movement(upward, downward, false)
    const falls = movement(downward, upward, false)
    first = f64x2.add(f64x2.mul(second, keeps), v128.shuffle<f64>(rises, falls, 0, 2))
    second = f64x2.add(f64x2.mul(first, keeps), v128.shuffle<f64>(rises, falls, 1, 3))
    const up = v128.shuffle<f64>(first, second, 0, 2)
    const down = v128.shuffle<f64>(first, second, 1, 3)
    const sum = f64x2.add(up, down)
    const part = f64x2.mul(f64x2.mul(hundred, f64x2.div(f64x2.abs(f64x2.sub(up, down)), sum)), indexShares)
    let added = firstOf(part)
    let next = secondOf(part)
    // A candle that leaves no movement, which is rare, keeps the index.
    const isStill = f64x2.le(sum, zero)
    if (v128.any_true(isStill)) {
      added = v128.bitselect(f64x2.mul(index, indexShares), added, firstOf(isStill))
      const before = f64x2.add(f64x2.mul(index, indexKeeps), added)
      next = v128.bitselect(f64x2.mul(before, indexShares), next, secondOf(isStill))
    }
    firstIndex = f64x2.add(f64x2.mul(index, indexKeeps), added)
    index = f64x2.add(f64x2.mul(firstIndex, indexKeeps), next)
    out.setPair(i, v128.shuffle<f64>(firstIndex, index, 0, 2))
  }
  out[to] = after
  state.setPair(0, isSingle ? first : second)
  state[2] = f64x2.extract_lane(isSingle ? firstIndex : index, 0)
}
