import { Column } from '../../frame'
import { Halves } from '../averages/halves'
import { firstOf, secondOf } from '../numbers/lanes'

/**
 * Relative strength 100·G / (G + L), or 100·(G − L) / (G + L) if `isNet`, where G and L are the Wilder-smoothed gains and
 * losses of `x`: NaN before candle `period`, seeded there with the mean of the first `period` changes; in the middle, 50 or
 * 0, while nothing has moved. An unchanged `x` keeps the strength unchanged, to the last bit. State: three numbers (gains
 * and losses, summed while seeding and smoothed afterwards, and the last strength).
 */
export function relativeStrength(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
  isNet: bool = false,
): void {
  let gains = from === 0 ? 0 : state[0]
  let losses = from === 0 ? 0 : state[1]
  let last = from === 0 ? (isNet ? 0 : 50) : state[2]
  const share = 1 / <f64>period
  let i = from
  for (const end = min(to, period + 1); i < end; i++) {
    if (i > 0) {
      const change = x[i] - x[i - 1]
      gains += change > 0 ? change : 0
      losses += change < 0 ? -change : 0
    }
    if (i === period) {
      gains *= share
      losses *= share
      const sum = gains + losses
      if (sum > 0) last = 100 * ((isNet ? gains - losses : gains) / sum)
    }
    out[i] = i === period ? last : NaN
  }
  state[0] = gains
  state[1] = losses
  state[2] = last
  const end = i + ((to - i) & ~1)
  if (isNet) {
    if (i < end) strengths<Net>(x, out, i, end, share, state)
    if (end < to) strengths<Net>(x, out, end, to, share, state)
  } else {
    if (i < end) strengths<Gains>(x, out, i, end, share, state)
    if (end < to) strengths<Gains>(x, out, end, to, share, state)
  }
}

/** The part of the moves that a relative strength is a share of: the gains. */
@unmanaged
class Gains {
  @inline
  of(gains: v128, _losses: v128): v128 {
    return gains
  }
}

/** The part of the moves that a net strength is a share of. */
@unmanaged
class Net {
  @inline
  of(gains: v128, losses: v128): v128 {
    return f64x2.sub(gains, losses)
  }
}

/** The strengths of whole pairs of candles, or of a single candle. */
function strengths<Part>(x: Column, out: Column, from: i32, to: i32, share: f64, state: Column): void {
  Halves.interleave(share, 3)
  const isSingle = to - from === 1
  const part = changetype<Part>(state)
  const zero = f64x2.splat(0)
  const keeps = f64x2.splat(1 - share)
  const shares = f64x2.splat(share)
  const after = out[to]
  // Smoothed gains and losses after the first and after the second candle of a pair.
  let first = state.pair(0)
  let second = first
  let last = f64x2.splat(state[2])
  for (let i = from; i < to; i += 2) {
    const change = f64x2.sub(x.pair(i), x.pair(i - 1))
    const gained = f64x2.mul(f64x2.pmax(zero, change), shares)
    const lost = f64x2.mul(f64x2.pmax(zero, f64x2.neg(change)), shares)
    first = f64x2.add(f64x2.mul(second, keeps), v128.shuffle<f64>(gained, lost, 0, 2))
    second = f64x2.add(f64x2.mul(first, keeps), v128.shuffle<f64>(gained, lost, 1, 3))
    const gains = v128.shuffle<f64>(first, second, 0, 2)
    const losses = v128.shuffle<f64>(first, second, 1, 3)
    const sum = f64x2.add(gains, losses)
    let strength = f64x2.mul(f64x2.splat(100), f64x2.div(part.of(gains, losses), sum))
    // An unchanged value, which is rare, keeps the strength.
    if (v128.any_true(f64x2.eq(v128.or(gained, lost), zero))) {
      const moved = v128.and(f64x2.ne(change, zero), f64x2.gt(sum, zero))
      const before = v128.bitselect(strength, secondOf(last), moved)
      strength = v128.bitselect(strength, firstOf(before), moved)
    }
    last = strength
    out.setPair(i, strength)
  }
  out[to] = after
  state.setPair(0, isSingle ? first : second)
  state[2] = f64x2.extract_lane(isSingle ? last : secondOf(last), 0)
}
