import { Column } from '../../frame'
import { beginPair, clearFirst, decayed, delayed, endPair, endsOdd, held } from '../averages/decayed-sums'

/** Numbers of state of a relative strength. */
export const strengthState = 8

/**
 * Relative strength 100·G / (G + L), or 100·(G − L) / (G + L) if `isNet`, where G and L are the Wilder-smoothed gains and
 * losses of `x`: NaN before candle `period`, seeded there with the mean of the first `period` changes; in the middle, 50 or
 * 0, while nothing has moved. An unchanged `x` keeps the strength unchanged, to the last bit. State:
 * `strengthState` numbers, the pairs of changes, of the decayed sums of G, or of G − L, and of G + L, and of strengths.
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
  clearFirst(from, state, strengthState)
  let moved = state[0]
  let size = state[1]
  let i = from
  for (const end = min(to, period + 1); i < end; i++) {
    const change = i > 0 ? x[i] - x[i - 1] : 0
    moved += isNet ? change : change > 0 ? change : 0
    size += abs(change)
    out[i] = NaN
  }
  const keep = 1 - 1 / <f64>period
  if (from <= period) {
    state[0] = moved
    state[1] = size
    if (i > period) {
      out[period] = size > 0 ? 100 * (moved / size) : isNet ? 0 : 50
      beginPair(state, 0, 0, 0, 1)
      beginPair(state, 2, moved, 0, keep)
      beginPair(state, 4, size, 0, keep)
      beginPair(state, 6, out[period], 0, 1)
    }
  }
  if (i >= to) return
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
  if (endsOdd(from, to)) {
    strengths<Moves>(x, out, from, to - 1, keep, state)
    from = to - 1
  }
  const moves = changetype<Moves>(state)
  const keeps = f64x2.splat(keep)
  const square = f64x2.splat(keep * keep)
  const hundred = f64x2.splat(100)
  const zero = f64x2.splat(0)
  let changes = state.pair(0)
  let moved = state.pair(2)
  let sizes = state.pair(4)
  let previous = state.pair(6)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const change = f64x2.sub(x.pair(i), x.pair(i - 1))
    const earlier = delayed(changes, change)
    changes = change
    moved = decayed(moved, moves.of(change), moves.of(earlier), keeps, square)
    sizes = decayed(sizes, f64x2.abs(change), f64x2.abs(earlier), keeps, square)
    let strength = f64x2.mul(hundred, f64x2.div(moved, sizes))
    // Written before the branch, since Cranelift would otherwise compute the sums in it and again after it.
    out.setPair(i, strength)
    const stays = f64x2.eq(change, zero)
    // An unchanged price is rare.
    if (v128.any_true(stays)) {
      strength = held(previous, strength, stays)
      out.setPair(i, strength)
    }
    previous = strength
  }
  out[to] = after
  endPair(state, 0, changes, from, to)
  endPair(state, 2, moved, from, to)
  endPair(state, 4, sizes, from, to)
  endPair(state, 6, previous, from, to)
}
