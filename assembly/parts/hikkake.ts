import { Column } from '../frame'
import { Candles } from './candle-shape'
import { signedHundred } from './simd'

/**
 * Hikkake: a candle inside the range of the one before, and a false breakout that leaves it with both ends on one side.
 * 100 at the false breakout when it goes down, −100 when it goes up; 200 or −200 where, within the next three candles,
 * a close leaves the inside candle on the other side, once, and no new false breakout comes in between.
 * `isModified` asks for two candles inside one another and for a close of the first of them near the end that the
 * breakout passes. `from ≥ 5`, or `from ≥ 10` when modified; that far back candles are read. `list` is a scratch
 * column.
 */
export function hikkakeSignals(
  candles: Candles,
  out: Column,
  list: Column,
  from: i32,
  to: i32,
  isModified: bool,
): void {
  if (from >= to) return
  const high = candles.input(1)
  const low = candles.input(2)
  const minus = f64x2.splat(-0.0)
  // Breakouts are listed without a branch on the prices, which could not be predicted. A breakout counts for three
  // candles only: those before the range need no state, they are found again.
  let count = 0
  let insideBefore = isModified ? v128.and(insides(high, low, from - 6), i64x2(0, -1)) : f64x2.splat(0)
  const after = out[to]
  for (let i = from - 4; i < to; i += 2) {
    const top = high.pair(i)
    const bottom = low.pair(i)
    const topBefore = high.pair(i - 1)
    const bottomBefore = low.pair(i - 1)
    const topRises = f64x2.gt(top, topBefore)
    const topFalls = f64x2.lt(top, topBefore)
    const bottomRises = f64x2.gt(bottom, bottomBefore)
    const bottomFalls = f64x2.lt(bottom, bottomBefore)
    const inside = v128.and(topFalls, bottomRises)
    const leaves = v128.or(v128.and(topRises, bottomRises), v128.and(topFalls, bottomFalls))
    let fires = v128.and(leaves, v128.shuffle<i64>(insideBefore, inside, 1, 2))
    if (isModified) {
      fires = v128.and(fires, insideBefore)
      if (v128.any_true(fires)) fires = closeNearEnds(candles, i, i64x2.bitmask(fires))
    }
    insideBefore = inside
    // The lane behind the last candle does not count.
    if (i + 1 === to) fires = v128.and(fires, i64x2(-1, 0))
    if (i >= from) out.setPair(i, signedHundred(fires, v128.and(topRises, minus)))
    const lanes = i64x2.bitmask(fires)
    append(list, count, i)
    count += lanes & 1
    append(list, count, i + 1)
    count += lanes >> 1
  }
  out[to] = after
  append(list, count, to)
  for (let n = 0; n < count; n++) confirm(candles, out, listed(list, n), from, listed(list, n + 1))
}

/** Whether candle `i` and the next one lie inside the candles before them. */
function insides(high: Column, low: Column, i: i32): v128 {
  return v128.and(f64x2.lt(high.pair(i), high.pair(i - 1)), f64x2.gt(low.pair(i), low.pair(i - 1)))
}

function append(list: Column, n: i32, i: i32): void {
  store<i32>(changetype<usize>(list) + ((<usize>n) << 2), i)
}

function listed(list: Column, n: i32): i32 {
  return load<i32>(changetype<usize>(list) + ((<usize>n) << 2))
}

/** Which of the breakouts at candle `i` (1) and the next one (2) follow an outer candle that closes near their end. */
function closeNearEnds(candles: Candles, i: i32, lanes: i32): v128 {
  const first = (lanes & 1) !== 0 && closesNearEnd(candles, i - 2, i)
  const second = (lanes & 2) !== 0 && closesNearEnd(candles, i - 1, i + 1)
  return i64x2(-(first as i64), -(second as i64))
}

/** Whether a candle closes near the end that the breakout at candle `trap` passes. */
function closesNearEnd(candles: Candles, i: i32, trap: i32): bool {
  const near = candles.near(i)
  const isUp = candles.high(trap) > candles.high(trap - 1)
  return isUp ? candles.close(i) >= candles.high(i) - near : candles.close(i) <= candles.low(i) + near
}

/** Writes 200 or −200 to `out` where the false breakout at candle `i` is confirmed before candle `end`. */
function confirm(candles: Candles, out: Column, i: i32, from: i32, end: i32): void {
  const inside = i - 1
  const sign: f64 = candles.high(i) > candles.high(inside) ? -1 : 1
  const edge = sign * (sign > 0 ? candles.high(inside) : candles.low(inside))
  const last = min(i + 4, end)
  for (let k = i + 1; k < last; k++) {
    if (sign * candles.close(k) <= edge) continue
    if (k >= from) out[k] = 200 * sign
    return
  }
}
