import { Column } from '../../frame'
import { trueRange } from '../candles/true-range'

// Wilder's directional movement. Everything here begins with the movements of the candles, two candles at a time,
// in the columns that take the results; what is smoothed is smoothed over them in place.

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
  // Without a candle nothing may be touched: `to` may lie long before the candles that are there.
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

/** What a candle moved to one side, if that is more than to the other one, or as much where `areBoth`. */
function movement(way: v128, other: v128, areBoth: bool): v128 {
  const isLarger = areBoth ? f64x2.ge(way, other) : f64x2.gt(way, other)
  return v128.and(way, v128.and(isLarger, f64x2.gt(way, f64x2.splat(0))))
}

/** |up − down| in percent of up + down, or `otherwise` where nothing moved. */
function imbalance(up: f64, down: f64, otherwise: f64): f64 {
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
  // Movements, two candles at a time, do not wait for the sums: they are worked out between their steps.
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

/**
 * Directional indicators: `scale` times the Wilder-smoothed movements by the true range smoothed alike, all seeded
 * with the sums of the first period − 1: NaN before `lookback` ≥ 1. Where there was no range they are 0. With
 * `areBoth` both of two equal movements count, as in Tulip.
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
  movements(high, low, plus, minus, from, to, areBoth)
  const keep = 1 - 1 / <f64>period
  let up = from === 0 ? 0 : state[0]
  let down = from === 0 ? 0 : state[1]
  let range = from === 0 ? 0 : state[2]
  let i = from
  for (const end = min(to, period); i < end; i++) {
    up += plus[i]
    down += minus[i]
    if (i > 0) range += trueRange(high, low, close, i)
    const share = range !== 0 ? scale / range : 0
    plus[i] = i < lookback ? NaN : up * share
    minus[i] = i < lookback ? NaN : down * share
  }
  for (; i < to; i++) {
    up = up * keep + plus[i]
    down = down * keep + minus[i]
    range = range * keep + trueRange(high, low, close, i)
    const share = range !== 0 ? scale / range : 0
    plus[i] = up * share
    minus[i] = down * share
  }
  for (let j = from, end = min(to, lookback); j < end; j++) {
    plus[j] = NaN
    minus[j] = NaN
  }
  state[0] = up
  state[1] = down
  state[2] = range
}

/**
 * Directional movement index: |P − M| in percent of P + M, where P and M are the Wilder-smoothed movements; NaN
 * before candle `period`, 0 until something moves, and as before where nothing is left of any movement. `minus` is a
 * scratch column.
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
  movements(high, low, out, minus, from, to, false)
  const keep = 1 - 1 / <f64>period
  let up = from === 0 ? 0 : state[0]
  let down = from === 0 ? 0 : state[1]
  let index = from === 0 ? 0 : state[2]
  let i = from
  for (const end = min(to, period); i < end; i++) {
    up += out[i]
    down += minus[i]
    out[i] = NaN
  }
  for (; i < to; i++) {
    up = up * keep + out[i]
    down = down * keep + minus[i]
    index = imbalance(up, down, index)
    out[i] = index
  }
  state[0] = up
  state[1] = down
  state[2] = index
}

/**
 * Average directional movement index: the Wilder-smoothed directional movement index, seeded with the mean of its
 * first `period` values: NaN before candle 2·period − 1. A candle that leaves no movement leaves it as it was.
 * `minus` is a scratch column.
 * State: three numbers (both movements and the index, summed while seeding).
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
  movements(high, low, out, minus, from, to, false)
  const share = 1 / <f64>period
  const keep = 1 - share
  const seeded = 2 * period - 1
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
  for (; i < to; i++) {
    up = up * keep + out[i]
    down = down * keep + minus[i]
    index = index * keep + imbalance(up, down, index) * share
    out[i] = index
  }
  state[0] = up
  state[1] = down
  state[2] = index
}
