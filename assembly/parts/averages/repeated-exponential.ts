import { Column } from '../../frame'
import { beginDecay, decayed, feed, saveNewest, shifted } from './decayed-sums'
import { Halves } from './halves'
import { weightOf } from './present-average'

/** Numbers of state of a double exponential average. */
export const doubleState = 6

/** Numbers of state of a triple exponential average. */
export const tripleState = 8

/** Size of the state of the changes of a triple average, in numbers. */
export const changeState = tripleState + 2

/**
 * Feeds a chain of `stages` exponential averages, each smoothing the one before and seeded with the mean of its
 * first `period` values, up to the candle that seeds the last. Writes NaN to `out` before that candle and returns
 * the first candle not fed.
 */
function seed(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  stages: i32,
  averages: Column,
): i32 {
  const alpha = weightOf(period)
  const last = start + stages * (period - 1)
  let i = from
  for (const end = min(to, last + 1); i < end; i++) {
    if (i < last) out[i] = NaN
    let value = x[i]
    for (let s = 0, first = start; s < stages && i >= first; s++, first += period - 1) {
      feed(value, i, first, period, alpha, averages.from(s))
      value = averages[s]
    }
  }
  return i
}

/** Writes the decayed sums of a chain after its last average is seeded. State: the newest change and the sums, in pairs. */
function beginChain(value: f64, period: i32, stages: i32, averages: Column, state: Column): void {
  const alpha = weightOf(period)
  const keep = 1 - alpha
  let followed = value
  let added = 0.0
  let unit = keep
  for (let s = 0; s < stages; s++, unit *= alpha) {
    const sum = unit !== 0 ? (followed - averages[s]) / unit : 0
    followed = averages[s]
    beginDecay(state.from(2 + 2 * s), sum, added, keep)
    added = sum
  }
  state.setPair(0, f64x2.splat(0))
}

/** A chain of averages over a single value, which are that value. */
function copy(x: Column, start: i32, out: Column, from: i32, to: i32, stages: i32, state: Column): void {
  for (let i = from; i < to; i++) out[i] = i < start ? NaN : x[i]
  for (let s = 0; s <= stages; s++) state.setPair(2 * s, f64x2.splat(0))
}

/** Double exponential average 2·e₁ − e₂ (Mulloy 1994). State: `doubleState` numbers. */
export function doubleExponential(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
): void {
  if (period === 1) {
    copy(x, start, out, from, to, 2, state)
    return
  }
  const last = start + 2 * (period - 1)
  const averages = state.from(doubleState - 2)
  const first = seed(x, start, out, from, to, period, 2, averages)
  if (from <= last && last < to) {
    out[last] = 2 * averages[0] - averages[1]
    beginChain(x[last], period, 2, averages, state)
  }
  const end = first + ((to - first) & ~1)
  if (first < end) doubleOfPairs(x, out, first, end, weightOf(period), state)
  if (end < to) doubleOfPairs(x, out, end, to, weightOf(period), state)
}

/** Double exponential averages of whole pairs of candles, or of a single candle. */
function doubleOfPairs(x: Column, out: Column, from: i32, to: i32, alpha: f64, state: Column): void {
  Halves.interleave(alpha, doubleState)
  const isSingle = to - from === 1
  const keep = f64x2.splat(1 - alpha)
  const twice = f64x2.mul(keep, keep)
  const alphas = f64x2.splat(alpha)
  const after = out[to]
  let changes = state.pair(0)
  let once = state.pair(2)
  let again = state.pair(4)
  for (let i = from; i < to; i += 2) {
    const values = x.pair(i)
    const change = f64x2.sub(values, x.pair(i - 1))
    const nextOnce = decayed(once, change, shifted(changes, change), keep, twice)
    again = decayed(again, nextOnce, shifted(once, nextOnce), keep, twice)
    changes = change
    once = nextOnce
    out.setPair(i, f64x2.sub(values, f64x2.mul(keep, f64x2.sub(once, f64x2.mul(alphas, again)))))
  }
  out[to] = after
  saveNewest(state, changes, isSingle)
  saveNewest(state.from(2), once, isSingle)
  saveNewest(state.from(4), again, isSingle)
}

/** Triple exponential average 3·e₁ − 3·e₂ + e₃ (Mulloy 1994). State: `tripleState` numbers. */
export function tripleExponential(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
): void {
  if (period === 1) {
    copy(x, start, out, from, to, 3, state)
    return
  }
  const last = start + 3 * (period - 1)
  const averages = state.from(tripleState - 3)
  const first = seed(x, start, out, from, to, period, 3, averages)
  if (from <= last && last < to) {
    out[last] = 3 * (averages[0] - averages[1]) + averages[2]
    beginChain(x[last], period, 3, averages, state)
  }
  const end = first + ((to - first) & ~1)
  if (first < end) triplesOfPairs<Mean>(x, out, first, end, weightOf(period), state)
  if (end < to) triplesOfPairs<Mean>(x, out, end, to, weightOf(period), state)
}

/**
 * Change of e₃ since the previous candle in percent, 0 after an average of 0; NaN before the second e₃. State: `changeState`
 * numbers, those of a triple average and e₃ of two candles.
 */
export function tripleChange(x: Column, out: Column, from: i32, to: i32, period: i32, state: Column): void {
  const last = 3 * (period - 1)
  const averages = state.from(tripleState - 3)
  const first = seed(x, 0, out, from, to, period, 3, averages)
  if (from <= last && last < to) {
    out[last] = NaN
    state.setPair(tripleState, f64x2.splat(averages[2]))
    beginChain(x[last], period, 3, averages, state)
  }
  const end = first + ((to - first) & ~1)
  if (first < end) triplesOfPairs<Change>(x, out, first, end, weightOf(period), state)
  if (end < to) triplesOfPairs<Change>(x, out, end, to, weightOf(period), state)
}

/** The triple average e₁ − 2·(e₂ − e₁) + (e₃ − e₂). */
@unmanaged
class Mean {
  @inline
  get numbers(): i32 {
    return tripleState
  }

  @inline
  get factor(): f64 {
    return -2
  }

  @inline
  get isChange(): bool {
    return false
  }
}

/** The changes of e₃ = e₁ + (e₂ − e₁) + (e₃ − e₂) in percent. */
@unmanaged
class Change {
  @inline
  get numbers(): i32 {
    return changeState
  }

  @inline
  get factor(): f64 {
    return 1
  }

  @inline
  get isChange(): bool {
    return true
  }
}

/** Writes e₁ + factor·(e₂ − e₁) + (e₃ − e₂), or its changes in percent, of whole pairs of candles, or of a single candle. */
function triplesOfPairs<Result>(x: Column, out: Column, from: i32, to: i32, alpha: f64, state: Column): void {
  Halves.interleave(alpha, changetype<Result>(state).numbers)
  const result = changetype<Result>(state)
  const isSingle = to - from === 1
  const keep = f64x2.splat(1 - alpha)
  const twice = f64x2.mul(keep, keep)
  const second = f64x2.splat(result.factor * alpha)
  const third = f64x2.splat(alpha * alpha)
  const percent = f64x2.splat(100 * alpha * alpha * alpha)
  const zero = f64x2.splat(0)
  const after = out[to]
  let changes = state.pair(0)
  let once = state.pair(2)
  let again = state.pair(4)
  let thrice = state.pair(6)
  let means = result.isChange ? state.pair(tripleState) : zero
  for (let i = from; i < to; i += 2) {
    const values = x.pair(i)
    const change = f64x2.sub(values, x.pair(i - 1))
    const nextOnce = decayed(once, change, shifted(changes, change), keep, twice)
    const nextAgain = decayed(again, nextOnce, shifted(once, nextOnce), keep, twice)
    thrice = decayed(thrice, nextAgain, shifted(again, nextAgain), keep, twice)
    changes = change
    once = nextOnce
    again = nextAgain
    const others = f64x2.add(f64x2.mul(again, second), f64x2.mul(thrice, third))
    const mean = f64x2.sub(values, f64x2.mul(keep, f64x2.add(once, others)))
    if (result.isChange) {
      // The third average moves by alpha³ of the sums that are decayed three times.
      const before = shifted(means, mean)
      const moved = f64x2.div(f64x2.mul(thrice, percent), before)
      out.setPair(i, v128.andnot(moved, f64x2.eq(before, zero)))
      means = mean
    } else out.setPair(i, mean)
  }
  out[to] = after
  saveNewest(state, changes, isSingle)
  saveNewest(state.from(2), once, isSingle)
  saveNewest(state.from(4), again, isSingle)
  saveNewest(state.from(6), thrice, isSingle)
  if (result.isChange) saveNewest(state.from(tripleState), means, isSingle)
}

/**
 * Tillson's T3: the double average with volume factor `v` applied three times, expanded into e₃ … e₆ (1998). State: six numbers.
 *
 * The averages are kept divided by the powers of alpha: the next one then waits for a sum only, not for a product and a sum.
 */
export function tillson(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  v: f64,
  state: Column,
): void {
  const alpha = weightOf(period)
  const keep = 1 - alpha
  const cube = alpha * alpha * alpha
  const c3 = (1 + v) * (1 + v) * (1 + v) * cube
  const c4 = -3 * v * (1 + v) * (1 + v) * cube * alpha
  const c5 = 3 * v * v * (1 + v) * cube * alpha * alpha
  const c6 = -v * v * v * cube * cube
  const last = start + 6 * (period - 1)
  let i = seed(x, start, out, from, to, period, 6, state)
  if (from <= last && last < to) {
    let power = alpha
    for (let s = 0; s < 6; s++, power *= alpha) state[s] /= power
    out[last] = c3 * state[2] + c4 * state[3] + (c5 * state[4] + c6 * state[5])
  }
  let e1 = state[0]
  let e2 = state[1]
  let e3 = state[2]
  let e4 = state[3]
  let e5 = state[4]
  let e6 = state[5]
  for (; i < to; i++) {
    e1 = e1 * keep + x[i]
    e2 = e2 * keep + e1
    e3 = e3 * keep + e2
    e4 = e4 * keep + e3
    e5 = e5 * keep + e4
    e6 = e6 * keep + e5
    out[i] = c3 * e3 + c4 * e4 + (c5 * e5 + c6 * e6)
  }
  state[0] = e1
  state[1] = e2
  state[2] = e3
  state[3] = e4
  state[4] = e5
  state[5] = e6
}
