import { Column } from '../../frame'
import { decayed } from '../averages/decayed-sums'
import { Segments } from '../averages/segments'

/**
 * Relative strength 100·G / (G + L), or 100·(G − L) / (G + L) if `isNet`, where G and L are the Wilder-smoothed gains and
 * losses of `x`: NaN before candle `period`, seeded there with the mean of the first `period` changes; in the middle, 50 or
 * 0, while nothing has moved. An unchanged `x` keeps the strength unchanged, to the last bit. State: three numbers (the decayed
 * sums of G, or of G − L, and of G + L, and the last strength).
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
  let moved = from === 0 ? 0 : state[0]
  let size = from === 0 ? 0 : state[1]
  let last = from === 0 ? (isNet ? 0 : 50) : state[2]
  let i = from
  for (const end = min(to, period + 1); i < end; i++) {
    const change = i > 0 ? x[i] - x[i - 1] : 0
    moved += isNet ? change : change > 0 ? change : 0
    size += abs(change)
    if (i === period && size > 0) last = 100 * (moved / size)
    out[i] = i === period ? last : NaN
  }
  state[0] = moved
  state[1] = size
  state[2] = last
  const keep = 1 - 1 / <f64>period
  if (isNet) strengths<Net>(x, out, i, to, keep, state)
  else strengths<Gains>(x, out, i, to, keep, state)
}

/** The moves that a relative strength is a share of: the gains. */
@unmanaged
class Gains {
  @inline
  of(change: v128): v128 {
    return f64x2.pmax(f64x2.splat(0), change)
  }
}

/** The moves that a net strength is a share of. */
@unmanaged
class Net {
  @inline
  of(change: v128): v128 {
    return change
  }
}

/** The strengths of the candles after the seed. */
function strengths<Moves>(x: Column, out: Column, from: i32, to: i32, keep: f64, state: Column): void {
  Segments.interleave(1 - keep, 3)
  const moves = changetype<Moves>(state)
  const keeps = f64x2.splat(keep)
  const hundred = f64x2.splat(100)
  const zero = f64x2.splat(0)
  let moved = Segments.number(state, 0)
  let size = Segments.number(state, 1)
  let last = Segments.number(state, 2)
  for (let i = from; i < to; i++) {
    const change = Segments.lanes(f64x2.sub(x.pair(i), x.pair(i - 1)))
    moved = decayed(moved, moves.of(change), keeps)
    size = decayed(size, f64x2.abs(change), keeps)
    const strength = f64x2.mul(hundred, f64x2.div(moved, size))
    last = v128.bitselect(strength, last, f64x2.ne(change, zero))
    Segments.write(out, i, last)
  }
  Segments.setNumber(state, 0, moved)
  Segments.setNumber(state, 1, size)
  Segments.setNumber(state, 2, last)
}
