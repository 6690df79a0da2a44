import { Column } from '../../frame'
import { signedHundred } from '../numbers/simd'
import { isLonger } from '../numbers/tie'
import { Candles } from './candle-shape'

/**
 * Hikkake: a candle inside the range of the one before, and a false breakout that moves both ends beyond it in one
 * direction. 100 at the false breakout when it goes down, −100 when it goes up; 200 or −200 where, within the next
 * three candles, a close leaves the inside candle on the other side, once, and no new false breakout comes in between.
 * `isModified` requires two nested candles, and a close of the first of them near the end that the breakout passes.
 * Reads 5 candles back, or 10 if modified, so `from` must be at least that.
 */
export function hikkakeSignals(candles: Candles, out: Column, from: i32, to: i32, isModified: bool): void {
  if (isModified) Hikkake.signals(candles, out, from, to, true)
  else Hikkake.signals(candles, out, from, to, false)
}

/** Methods, because only they may be inlined where the constants are known. */
class Hikkake {
  @inline
  static signals(candles: Candles, out: Column, from: i32, to: i32, isModified: bool): void {
    if (from >= to) return
    const after = out[to]
    // A breakout can be confirmed for three candles. So breakouts before the range need no state: they are searched again. A
    // breakout at the first of these four candles is too old, so its preceding candle does not matter.
    const before = isModified ? v128.and(insides(candles, from - 6), i64x2(0, -1)) : f64x2.splat(0)
    let trap = -1
    for (
      let traps = Hikkake.breakouts(candles, out, from - 4, from, before, isModified, false);
      traps !== 0;
      traps &= traps - 1
    ) {
      const next = from - 4 + <i32>ctz(traps)
      if (trap >= 0) confirmAtEnds(candles, out, trap, from, next)
      trap = next
    }
    for (let begin = from; begin < to; begin += 64) {
      const end = min(begin + 64, to)
      let traps = Hikkake.breakouts(candles, out, begin, end, insides(candles, begin - 2), isModified, true)
      // The lane after the last candle is ignored.
      if (end === to) {
        out[to] = after
        traps &= ~(((<u64>-1) << 1) << (to - begin - 1))
      }
      for (; traps !== 0; traps &= traps - 1) {
        const next = begin + <i32>ctz(traps)
        if (trap >= 0) Hikkake.confirm(candles, out, trap, from, next, to)
        trap = next
      }
    }
    if (trap >= 0) Hikkake.confirm(candles, out, trap, from, to, to)
  }

  /**
   * The false breakouts of up to 64 candles as bits, found without a branch on prices, which could not be predicted. If
   * `writes`, writes 100 or −100 at a breakout and 0 elsewhere to `out`. `insideBefore` is the mask of the two previous
   * candles that lie inside their predecessors. Moving addresses is cheaper than computing them from an index.
   */
  @inline
  static breakouts(
    candles: Candles,
    out: Column,
    begin: i32,
    end: i32,
    insideBefore: v128,
    isModified: bool,
    writes: bool,
  ): u64 {
    const minus = f64x2.splat(-0.0)
    let traps: u64 = 0
    let high = changetype<usize>(candles.input(1).from(begin - 1))
    let low = changetype<usize>(candles.input(2).from(begin - 1))
    let to = changetype<usize>(out.from(begin))
    let i = begin
    do {
      const top = v128.load(high, 8)
      const bottom = v128.load(low, 8)
      const topBefore = v128.load(high)
      const bottomBefore = v128.load(low)
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
      if (writes) v128.store(to, signedHundred(fires, v128.and(topRises, minus)))
      traps = (traps >>> 2) | ((<u64>i64x2.bitmask(fires)) << 62)
      high += 16
      low += 16
      to += 16
      i += 2
    } while (i < end)
    return traps >>> (64 - (i - begin))
  }

  /** Does the same as `confirmAtEnds`, without branches on prices. */
  @inline
  static confirm(candles: Candles, out: Column, i: i32, from: i32, end: i32, to: i32): void {
    if (i < from || i + 4 > to) {
      confirmAtEnds(candles, out, i, from, end)
      return
    }
    // Neither the direction of the breakout nor its confirmation can be predicted. So the candle behind the last possible
    // confirmation is rewritten unchanged if nothing confirms.
    const inside = i - 1
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
  }
}

/** Whether candle `i` and the next one lie inside the candles before them. */
function insides(candles: Candles, i: i32): v128 {
  const high = candles.input(1)
  const low = candles.input(2)
  return v128.and(f64x2.lt(high.pair(i), high.pair(i - 1)), f64x2.gt(low.pair(i), low.pair(i - 1)))
}

/**
 * Mask of the breakouts at candle `i` (bit 1) and the next one (bit 2) that follow an outer candle which closes near their
 * end.
 */
function closeNearEnds(candles: Candles, i: i32, lanes: i32): v128 {
  const first = (lanes & 1) !== 0 && closesNearEnd(candles, i - 2, i)
  const second = (lanes & 2) !== 0 && closesNearEnd(candles, i - 1, i + 1)
  return i64x2(-(first as i64), -(second as i64))
}

/** Whether a candle closes near the end that the breakout at candle `trap` passes. */
function closesNearEnd(candles: Candles, i: i32, trap: i32): bool {
  const near = candles.near(i)
  const isUp = candles.high(trap) > candles.high(trap - 1)
  return !isLonger(isUp ? candles.high(i) - candles.close(i) : candles.close(i) - candles.low(i), near)
}

/** Writes 200 or −200 to `out` where the false breakout at candle `i` is confirmed before candle `end`. */
function confirmAtEnds(candles: Candles, out: Column, i: i32, from: i32, end: i32): void {
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
