import { Column } from '../frame'
import { Candles } from './anatomy'
import { CandlePairs, setPairBefore, signedHundred } from './pairs'

/**
 * Hikkake: a candle inside the range of the one before, and a false breakout that leaves it with both ends on one side.
 * 100 at the false breakout when it goes down, −100 when it goes up; 200 or −200 where, within the next three candles,
 * a close leaves the inside candle on the other side, once, and no new false breakout comes in between.
 * `isModified` asks for two candles inside one another and for a close of the first of them near the end that the
 * breakout passes. `from ≥ 5`, or `from ≥ 10` when modified; that far back candles are read. `traps` and
 * `list` are scratch columns.
 */
export function hikkakes(
  candles: Candles,
  out: Column,
  traps: Column,
  list: Column,
  from: i32,
  to: i32,
  isModified: bool,
): void {
  // A breakout is forgotten after three candles: what happened before needs no state, it is found again.
  const start = from - 3
  findTraps(candles, traps, start, to, isModified)
  for (let i = from; i < to; i += 2) setPairBefore(out, i, to, traps.pair(i))
  const count = listTraps(traps, list, start, to)
  list[count] = to
  for (let n = 0; n < count; n++)
    confirm(candles, out, <i32>list[n], traps[<i32>list[n]], from, min(to, <i32>list[n + 1]))
}

/** Writes 100 or −100 to `traps` at each false breakout in [from, to), 0 elsewhere; element `to` may be written too. */
function findTraps(candles: Candles, traps: Column, from: i32, to: i32, isModified: bool): void {
  const pairs = CandlePairs.of(candles)
  const minus = f64x2.splat(-0.0)
  for (let i = from; i < to; i += 2) {
    const inside = i - 1
    let isInside = pairs.rangeInside(i - 2, inside)
    if (isModified) isInside = v128.and(isInside, pairs.rangeInside(i - 3, i - 2))
    const isUp = pairs.stepsUp(inside, i)
    const leaves = v128.or(isUp, pairs.stepsDown(inside, i))
    const fires = v128.and(isInside, leaves)
    traps.setPair(i, signedHundred(fires, v128.and(isUp, minus)))
    if (isModified && v128.any_true(fires)) {
      if (!closesNearEnd(candles, i - 2, traps[i])) traps[i] = 0
      if (i + 1 < to && !closesNearEnd(candles, i - 1, traps[i + 1])) traps[i + 1] = 0
    }
  }
}

/** Whether a candle closes near the end that a breakout of the direction of `trap` passes. */
function closesNearEnd(candles: Candles, i: i32, trap: f64): bool {
  const near = candles.near(i)
  return trap > 0 ? candles.close(i) <= candles.low(i) + near : candles.close(i) >= candles.high(i) - near
}

/** Lists the candles in [from, to) that are traps, without a branch on what is rare but not foreseeable. */
function listTraps(traps: Column, list: Column, from: i32, to: i32): i32 {
  let count = 0
  for (let i = from; i < to; i++) {
    list[count] = i
    count += (traps[i] !== 0) as i32
  }
  return count
}

/** Writes 200 or −200 to `out` where the false breakout `trap` at candle `i` is confirmed before candle `end`. */
function confirm(candles: Candles, out: Column, i: i32, trap: f64, from: i32, end: i32): void {
  const inside = i - 1
  const sign: f64 = copysign<f64>(1, trap)
  const edge = sign * (sign > 0 ? candles.high(inside) : candles.low(inside))
  const last = min(i + 4, end)
  for (let k = i + 1; k < last; k++) {
    if (sign * candles.close(k) <= edge) continue
    if (k >= from) out[k] = 2 * trap
    return
  }
}
