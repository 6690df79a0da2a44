import { Column } from '../frame'
import { Candles } from './anatomy'
import { CandlePairs, setPairBefore, signedHundred } from './pairs'

/**
 * Hikkake: a candle inside the range of the one before, and a false breakout that leaves it with both ends on one side.
 * 100 at the false breakout when it goes down, −100 when it goes up; 200 or −200 where, within the next three candles,
 * a close leaves the inside candle on the other side, once, and no new false breakout comes in between.
 * `isModified` asks for two candles inside one another and for a close of the first of them near the end that the
 * breakout passes. `from ≥ 5`, or `from ≥ 10` when modified; that far back candles are read. `list` is a scratch
 * column.
 */
export function hikkakes(
  candles: Candles,
  out: Column,
  list: Column,
  from: i32,
  to: i32,
  isModified: bool,
): void {
  if (from >= to) return
  const pairs = CandlePairs.of(candles)
  // Breakouts are listed without a branch on what is rare but not foreseeable. They are forgotten after three candles:
  // those before the range need no state, they are found again.
  let count = 0
  for (let i = from - 3; i < from; i++) {
    const fires = v128.and(breakouts(pairs, candles, i, isModified), onlyFirst())
    append(list, count, i)
    count += v128.any_true(fires) as i32
  }
  for (let i = from; i < to; i += 2) {
    let fires = breakouts(pairs, candles, i, isModified)
    if (i + 1 === to) fires = v128.and(fires, onlyFirst())
    setPairBefore(out, i, to, signedHundred(fires, v128.and(goesUp(pairs, i), f64x2.splat(-0.0))))
    const lanes = i64x2.bitmask(fires)
    append(list, count, i)
    count += lanes & 1
    append(list, count, i + 1)
    count += lanes >> 1
  }
  append(list, count, to)
  for (let n = 0; n < count; n++) confirm(candles, out, listed(list, n), from, listed(list, n + 1))
}

function onlyFirst(): v128 {
  return i64x2(-1, 0)
}

function append(list: Column, n: i32, i: i32): void {
  store<i32>(changetype<usize>(list) + ((<usize>n) << 2), i)
}

function listed(list: Column, n: i32): i32 {
  return load<i32>(changetype<usize>(list) + ((<usize>n) << 2))
}

/** Whether a breakout at candle `i` or the next one goes up. */
function goesUp(pairs: CandlePairs, i: i32): v128 {
  return f64x2.gt(pairs.high(i), pairs.high(i - 1))
}

/** Whether candle `i` and the next one leave an inside candle with both ends on one side. */
function breakouts(pairs: CandlePairs, candles: Candles, i: i32, isModified: bool): v128 {
  const inside = i - 1
  let isInside = pairs.rangeInside(i - 2, inside)
  if (isModified) isInside = v128.and(isInside, pairs.rangeInside(i - 3, i - 2))
  const fires = v128.and(isInside, v128.or(pairs.stepsUp(inside, i), pairs.stepsDown(inside, i)))
  if (!isModified || !v128.any_true(fires)) return fires
  const first = closesNearEnd(candles, i - 2, i)
  const second = closesNearEnd(candles, i - 1, i + 1)
  return v128.and(fires, i64x2(-(first as i64), -(second as i64)))
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
