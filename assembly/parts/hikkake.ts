import { Column } from '../frame'
import { Candles } from './candle-shape'
import { signedHundred } from './simd'

/**
 * Hikkake: a candle inside the range of the one before, and a false breakout that leaves it with both ends on one side.
 * 100 at the false breakout when it goes down, −100 when it goes up; 200 or −200 where, within the next three candles,
 * a close leaves the inside candle on the other side, once, and no new false breakout comes in between.
 * `isModified` asks for two candles inside one another and for a close of the first of them near the end that the
 * breakout passes. `from ≥ 5`, or `from ≥ 10` when modified; that far back candles are read.
 */
export function hikkakeSignals(candles: Candles, out: Column, from: i32, to: i32, isModified: bool): void {
  if (from >= to) return
  const high = candles.input(1)
  const low = candles.input(2)
  const minus = f64x2.splat(-0.0)
  // Breakouts of 64 candles at a time are collected as bits, without a branch on the prices, which could not be predicted.
  // A breakout counts for three candles only: those before the range need no state, they are found again.
  let insideBefore = isModified ? v128.and(insides(high, low, from - 6), i64x2(0, -1)) : f64x2.splat(0)
  const after = out[to]
  let trap = -1
  for (let begin = from - 4; begin < to; begin += 64) {
    let traps: u64 = 0
    const end = min(begin + 64, to)
    for (let i = begin; i < end; i += 2) {
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
      if (i >= from) out.setPair(i, signedHundred(fires, v128.and(topRises, minus)))
      traps |= (<u64>i64x2.bitmask(fires)) << (i - begin)
    }
    // The lane behind the last candle does not count.
    if (end === to) {
      out[to] = after
      traps &= ~(((<u64>-1) << 1) << (to - begin - 1))
    }
    for (; traps !== 0; traps &= traps - 1) {
      const next = begin + <i32>ctz(traps)
      if (trap >= 0) confirm(candles, out, trap, from, next, to)
      trap = next
    }
  }
  if (trap >= 0) confirm(candles, out, trap, from, to, to)
}

/** Whether candle `i` and the next one lie inside the candles before them. */
function insides(high: Column, low: Column, i: i32): v128 {
  return v128.and(f64x2.lt(high.pair(i), high.pair(i - 1)), f64x2.gt(low.pair(i), low.pair(i - 1)))
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

/** Writes 200 or −200 to `out` where the false breakout at candle `i` is confirmed before candle `end`; at most `to`. */
function confirm(candles: Candles, out: Column, i: i32, from: i32, end: i32, to: i32): void {
  const inside = i - 1
  if (i >= from && i + 4 <= to) {
    // Neither which way it broke out nor whether it is confirmed can be predicted: the candle behind the last one that
    // may confirm is written as it is where none does.
    const high = f64x2.splat(candles.high(inside))
    const isUp = f64x2.gt(f64x2.splat(candles.high(i)), high)
    const sign = v128.and(isUp, f64x2.splat(-0.0))
    const edge = v128.xor(v128.bitselect(f64x2.splat(candles.low(inside)), high, isUp), sign)
    const close = candles.input(3)
    const first = f64x2.gt(v128.xor(close.pair(i + 1), sign), edge)
    const second = f64x2.gt(v128.xor(close.pair(i + 3), sign), edge)
    const bits =
      (i64x2.bitmask(first) | (i64x2.bitmask(second) << 2)) & ((1 << (min(i + 4, end) - i - 1)) - 1)
    const k = i + 1 + ctz(bits | 8)
    const hit = i64x2.splat(-(<i64>(bits !== 0)))
    const value = v128.bitselect(v128.or(f64x2.splat(200), sign), f64x2.splat(out[k]), hit)
    out[k] = f64x2.extract_lane(value, 0)
    return
  }
  const sign: f64 = candles.high(i) > candles.high(inside) ? -1 : 1
  const edge = sign * (sign > 0 ? candles.high(inside) : candles.low(inside))
  const last = min(i + 4, end)
  for (let k = i + 1; k < last; k++) {
    if (sign * candles.close(k) <= edge) continue
    if (k >= from) out[k] = 200 * sign
    return
  }
}
