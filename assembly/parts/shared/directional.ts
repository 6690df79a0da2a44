import { Column } from '../../frame'
import { beginPair, clearFirst, decayed, delayed, endPair, endsOdd, held } from '../averages/decayed-sums'
import { exponentialAverage, exponentialState } from '../averages/exponential-average'
import { pairOfTrueRanges, trueRange } from '../candles/true-range'
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
    const rise = risesOf(high, i)
    const fall = fallsOf(low, i)
    plus.setPair(i, movement(rise, fall, areBoth))
    minus.setPair(i, movement(fall, rise, areBoth))
  }
  plus[to] = afterPlus
  minus[to] = afterMinus
}

/** Rises of the high since the candles before, of the candles `i` and `i + 1`. */
function risesOf(high: Column, i: i32): v128 {
  return f64x2.sub(high.pair(i), high.pair(i - 1))
}

/** Falls of the low since the candles before, of the candles `i` and `i + 1`. */
function fallsOf(low: Column, i: i32): v128 {
  return f64x2.sub(low.pair(i - 1), low.pair(i))
}

/** Movement of a candle to one side if it exceeds the movement to the other side, or equals it if `areBoth`; else 0. */
function movement(way: v128, other: v128, areBoth: bool): v128 {
  const isLarger = areBoth ? f64x2.ge(way, other) : f64x2.gt(way, other)
  return v128.and(f64x2.pmax(f64x2.splat(0), way), isLarger)
}

/** Numbers of state of smoothed movements: pairs of both movements and of their sums. */
export const movementState = 8

/**
 * Wilder-smoothed sums of the movements, seeded with the sums of the first period − 1: NaN before candle period − 1,
 * and on the first candle, which has no movement. State: `movementState` numbers (while seeding, the sums).
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
  clearFirst(from, state, movementState)
  let up = state[0]
  let down = state[1]
  let i = from
  const seeded = min(to, period)
  movements(high, low, plus, minus, from, seeded, areBoth)
  for (; i < seeded; i++) {
    up += plus[i]
    down += minus[i]
    plus[i] = i < lookback ? NaN : up
    minus[i] = i < lookback ? NaN : down
  }
  const keep = 1 - 1 / <f64>period
  if (from < period) {
    state[0] = up
    state[1] = down
    if (to >= period) beginMovements(keep, state)
  }
  if (i < to) smoothedMovements(high, low, plus, minus, i, to, keep, areBoth, state)
}

/** Replaces the seeds of both sums by pairs of movements and of sums, as if the seeds had been there before. */
function beginMovements(keep: f64, state: Column): void {
  const down = state[1]
  beginPair(state, 4, state[0], 0, keep)
  beginPair(state, 6, down, 0, keep)
  for (let k = 0; k < 4; k++) state[k] = 0
}

/** The smoothed movements of the candles after the seed. */
function smoothedMovements(
  high: Column,
  low: Column,
  plus: Column,
  minus: Column,
  from: i32,
  to: i32,
  keep: f64,
  areBoth: bool,
  state: Column,
): void {
  if (endsOdd(from, to)) {
    smoothedMovements(high, low, plus, minus, from, to - 1, keep, areBoth, state)
    from = to - 1
  }
  const keeps = f64x2.splat(keep)
  const square = f64x2.splat(keep * keep)
  let rises = state.pair(0)
  let falls = state.pair(2)
  let ups = state.pair(4)
  let downs = state.pair(6)
  const afterPlus = plus[to]
  const afterMinus = minus[to]
  for (let i = from; i < to; i += 2) {
    const rise = movement(risesOf(high, i), fallsOf(low, i), areBoth)
    const fall = movement(fallsOf(low, i), risesOf(high, i), areBoth)
    ups = decayed(ups, rise, delayed(rises, rise), keeps, square)
    downs = decayed(downs, fall, delayed(falls, fall), keeps, square)
    plus.setPair(i, ups)
    minus.setPair(i, downs)
    rises = rise
    falls = fall
  }
  plus[to] = afterPlus
  minus[to] = afterMinus
  endPair(state, 0, rises, from, to)
  endPair(state, 2, falls, from, to)
  endPair(state, 4, ups, from, to)
  endPair(state, 6, downs, from, to)
}

/** Numbers of state of directional indicators. */
export const directionalState = movementState + 4

/**
 * Directional indicators: `scale` times the Wilder-smoothed movements, divided by the true range smoothed alike, all
 * seeded with the sums of the first period − 1: NaN before `lookback` ≥ 1. Where there was no range they are 0. With
 * `areBoth` both of two equal movements count, as in Tulip.
 * State: `directionalState` numbers, those of movements and the pairs of ranges and of smoothed ranges.
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
  clearFirst(from, state, directionalState)
  const seeded = min(to, period)
  movements(high, low, plus, minus, from, seeded, areBoth)
  for (let i = from; i < seeded; i++) {
    state[0] += plus[i]
    state[1] += minus[i]
    if (i > 0) state[2] += trueRange(high, low, close, i)
    const share = state[2] !== 0 ? scale / state[2] : 0
    plus[i] = min(state[0] * share, scale)
    minus[i] = min(state[1] * share, scale)
  }
  const keep = 1 - 1 / <f64>period
  if (from < period && period <= to) {
    beginPair(state, 10, state[2], 0, keep)
    beginPair(state, 8, 0, 0, 1)
    beginMovements(keep, state)
  }
  const first = max(from, period)
  if (first < to) {
    smoothedMovements(high, low, plus, minus, first, to, keep, areBoth, state)
    shares(high, low, close, plus, minus, first, to, keep, scale, state.from(movementState))
  }
  warmup(plus, from, to, lookback)
  warmup(minus, from, to, lookback)
}

/** Divides the smoothed movements of the candles after the seed by the smoothed range. */
function shares(
  high: Column,
  low: Column,
  close: Column,
  plus: Column,
  minus: Column,
  from: i32,
  to: i32,
  keep: f64,
  scale: f64,
  state: Column,
): void {
  if (endsOdd(from, to)) {
    shares(high, low, close, plus, minus, from, to - 1, keep, scale, state)
    from = to - 1
  }
  const keeps = f64x2.splat(keep)
  const square = f64x2.splat(keep * keep)
  const zero = f64x2.splat(0)
  const scales = f64x2.splat(scale)
  let ranges = state.pair(0)
  let widths = state.pair(2)
  const afterPlus = plus[to]
  const afterMinus = minus[to]
  for (let i = from; i < to; i += 2) {
    const range = pairOfTrueRanges(high, low, close, i)
    widths = decayed(widths, range, delayed(ranges, range), keeps, square)
    const unit = v128.andnot(f64x2.div(scales, widths), f64x2.eq(widths, zero))
    // A movement of the whole range would differ from `scale` in the last digit.
    plus.setPair(i, f64x2.pmin(f64x2.mul(plus.pair(i), unit), scales))
    minus.setPair(i, f64x2.pmin(f64x2.mul(minus.pair(i), unit), scales))
    ranges = range
  }
  plus[to] = afterPlus
  minus[to] = afterMinus
  endPair(state, 0, ranges, from, to)
  endPair(state, 2, widths, from, to)
}

/** Numbers of state of a directional movement index: those of movements and a pair of indexes. */
export const indexState = movementState + 2

/**
 * Directional movement index: |P − M| in percent of P + M, where P and M are the Wilder-smoothed movements; NaN before
 * candle `period`, 0 until something moves, and unchanged where both movements have faded to 0. `minus` is a scratch
 * column. State: `indexState` numbers.
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
  clearFirst(from, state, indexState)
  let up = state[0]
  let down = state[1]
  let i = from
  for (; i < seeded; i++) {
    up += out[i]
    down += minus[i]
    out[i] = NaN
  }
  const keep = 1 - 1 / <f64>period
  if (from < period) {
    state[0] = up
    state[1] = down
    if (to >= period) {
      beginMovements(keep, state)
      beginPair(state, movementState, 0, 0, keep)
    }
  }
  if (i < to) indexes(high, low, out, i, to, keep, state)
}

/** Numbers of state of an average directional movement index. */
export const averageIndexState = indexState + exponentialState

/**
 * Average directional movement index: the Wilder-smoothed directional movement index, seeded with the mean of its first
 * `period` values: NaN before candle 2·period − 1. `minus` is a scratch column. State: `averageIndexState` numbers.
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
  directionalIndex(high, low, out, minus, from, to, period, state)
  exponentialAverage(out, period, out, from, to, period, 1 / <f64>period, state.from(indexState))
}

/** The indexes of the candles after the seed. */
function indexes(high: Column, low: Column, out: Column, from: i32, to: i32, keep: f64, state: Column): void {
  if (endsOdd(from, to)) {
    indexes(high, low, out, from, to - 1, keep, state)
    from = to - 1
  }
  const keeps = f64x2.splat(keep)
  const square = f64x2.splat(keep * keep)
  const hundred = f64x2.splat(100)
  let rises = state.pair(0)
  let falls = state.pair(2)
  let ups = state.pair(4)
  let downs = state.pair(6)
  let previous = state.pair(8)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const rise = movement(risesOf(high, i), fallsOf(low, i), false)
    const fall = movement(fallsOf(low, i), risesOf(high, i), false)
    ups = decayed(ups, rise, delayed(rises, rise), keeps, square)
    downs = decayed(downs, fall, delayed(falls, fall), keeps, square)
    const sum = f64x2.add(ups, downs)
    let index = f64x2.mul(hundred, f64x2.div(f64x2.abs(f64x2.sub(ups, downs)), sum))
    const isStill = f64x2.le(sum, f64x2.splat(0))
    // That nothing moves is rare.
    if (v128.any_true(isStill)) index = held(previous, index, isStill)
    out.setPair(i, index)
    rises = rise
    falls = fall
    previous = index
  }
  out[to] = after
  endPair(state, 0, rises, from, to)
  endPair(state, 2, falls, from, to)
  endPair(state, 4, ups, from, to)
  endPair(state, 6, downs, from, to)
  endPair(state, 8, previous, from, to)
}
