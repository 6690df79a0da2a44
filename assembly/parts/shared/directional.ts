import { Column } from '../../frame'
import { decayed } from '../averages/decayed-sums'
import { Segments } from '../averages/segments'
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
  state[0] = up
  state[1] = down
  smoothedMovements(high, low, plus, minus, i, to, 1 / <f64>period, areBoth, state)
}

/** The smoothed movements of the candles after the seed. */
function smoothedMovements(
  high: Column,
  low: Column,
  plus: Column,
  minus: Column,
  from: i32,
  to: i32,
  share: f64,
  areBoth: bool,
  state: Column,
): void {
  Segments.interleave(share, 2)
  const keep = f64x2.splat(1 - share)
  let up = Segments.number(state, 0)
  let down = Segments.number(state, 1)
  for (let i = from; i < to; i++) {
    const rise = Segments.lanes(risesOf(high, i))
    const fall = Segments.lanes(fallsOf(low, i))
    up = decayed(up, movement(rise, fall, areBoth), keep)
    down = decayed(down, movement(fall, rise, areBoth), keep)
    Segments.write(plus, i, up)
    Segments.write(minus, i, down)
  }
  Segments.setNumber(state, 0, up)
  Segments.setNumber(state, 1, down)
}

/** Numbers of state of directional indicators. */
export const directionalState = 3

/**
 * Directional indicators: `scale` times the Wilder-smoothed movements, divided by the true range smoothed alike, all
 * seeded with the sums of the first period − 1: NaN before `lookback` ≥ 1. Where there was no range they are 0. With
 * `areBoth` both of two equal movements count, as in Tulip.
 * State: `directionalState` numbers (both smoothed movements and the smoothed range).
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
  movements(high, low, plus, minus, from, seeded, areBoth)
  for (let i = from; i < seeded; i++) {
    if (i === 0) for (let k = 0; k < directionalState; k++) state[k] = 0
    state[0] += plus[i]
    state[1] += minus[i]
    if (i > 0) state[2] += trueRange(high, low, close, i)
    const share = state[2] !== 0 ? scale / state[2] : 0
    plus[i] = min(state[0] * share, scale)
    minus[i] = min(state[1] * share, scale)
  }
  const first = max(from, period)
  if (first < to) indicators(high, low, close, plus, minus, first, to, 1 / <f64>period, scale, areBoth, state)
  warmup(plus, from, to, lookback)
  warmup(minus, from, to, lookback)
}

/** The directional indicators of the candles after the seed. */
function indicators(
  high: Column,
  low: Column,
  close: Column,
  plus: Column,
  minus: Column,
  from: i32,
  to: i32,
  share: f64,
  scale: f64,
  areBoth: bool,
  state: Column,
): void {
  Segments.interleave(share, directionalState)
  const keep = f64x2.splat(1 - share)
  const zero = f64x2.splat(0)
  const scales = f64x2.splat(scale)
  let up = Segments.number(state, 0)
  let down = Segments.number(state, 1)
  let width = Segments.number(state, 2)
  for (let i = from; i < to; i++) {
    const rise = Segments.lanes(risesOf(high, i))
    const fall = Segments.lanes(fallsOf(low, i))
    up = decayed(up, movement(rise, fall, areBoth), keep)
    down = decayed(down, movement(fall, rise, areBoth), keep)
    width = decayed(width, Segments.lanes(pairOfTrueRanges(high, low, close, i)), keep)
    const unit = v128.andnot(f64x2.div(scales, width), f64x2.eq(width, zero))
    // A movement of the whole range would differ from `scale` in the last digit.
    Segments.write(plus, i, f64x2.pmin(f64x2.mul(up, unit), scales))
    Segments.write(minus, i, f64x2.pmin(f64x2.mul(down, unit), scales))
  }
  Segments.setNumber(state, 0, up)
  Segments.setNumber(state, 1, down)
  Segments.setNumber(state, 2, width)
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

/** Smoothed directional movement indexes of the candles after the seed; with an `indexShare` of 1 the indexes themselves. */
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
  Segments.interleave(share, 3)
  const keep = f64x2.splat(1 - share)
  const indexKeep = f64x2.splat(1 - indexShare)
  const weight = f64x2.splat(indexShare)
  const hundred = f64x2.splat(100)
  let up = Segments.number(state, 0)
  let down = Segments.number(state, 1)
  let index = Segments.number(state, 2)
  for (let i = from; i < to; i++) {
    const rise = Segments.lanes(risesOf(high, i))
    const fall = Segments.lanes(fallsOf(low, i))
    up = decayed(up, movement(rise, fall, false), keep)
    down = decayed(down, movement(fall, rise, false), keep)
    const sum = f64x2.add(up, down)
    const part = f64x2.mul(hundred, f64x2.div(f64x2.abs(f64x2.sub(up, down)), sum))
    // A candle that leaves no movement, which is rare, keeps the index.
    const added = v128.bitselect(index, part, f64x2.le(sum, f64x2.splat(0)))
    index = decayed(index, f64x2.mul(added, weight), indexKeep)
    Segments.write(out, i, index)
  }
  Segments.setNumber(state, 0, up)
  Segments.setNumber(state, 1, down)
  Segments.setNumber(state, 2, index)
}
