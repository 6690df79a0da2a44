import { Column } from '../../frame'
import { beginPair, clearFirst, decayed, decayedAgain, delayed, endPair, endsOdd, feed } from './decayed-sums'
import { weightOf } from './present-average'

/** Numbers of state of a double exponential average. */
export const doubleState = 6

/** Numbers of state of a triple exponential average. */
export const tripleState = 8

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

/**
 * Replaces the averages of a chain, once all are seeded, by the pair of changes and the pairs of decayed sums: e₁ lags behind x by
 * keep·s, where s is the decayed sum of changes, e₂ behind e₁ by keep·alpha·t, where t is that of s, and e₃ behind e₂ by
 * keep·alpha²·u.
 */
function beginChain(value: f64, period: i32, stages: i32, state: Column): void {
  const alpha = weightOf(period)
  const keep = 1 - alpha
  const once = state[0]
  const twice = state[1]
  const unit = keep > 0 ? 1 / keep : 0
  const sum = (value - once) * unit
  const sumTwice = ((once - twice) * unit) / alpha
  if (stages > 2) beginPair(state, 6, ((twice - state[2]) * unit) / (alpha * alpha), sumTwice, keep)
  beginPair(state, 4, sumTwice, sum, keep)
  beginPair(state, 2, sum, 0, keep)
  beginPair(state, 0, 0, 0, 1)
}

/** A chain of averages over a single value, which are that value. */
function copy(x: Column, start: i32, out: Column, from: i32, to: i32): void {
  for (let i = from; i < to; i++) out[i] = i < start ? NaN : x[i]
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
  clearFirst(from, state, doubleState)
  if (period === 1) {
    copy(x, start, out, from, to)
    return
  }
  const last = start + 2 * (period - 1)
  const first = seed(x, start, out, from, to, period, 2, state)
  if (from <= last && last < to) {
    out[last] = 2 * state[0] - state[1]
    beginChain(x[last], period, 2, state)
  }
  if (first < to) doubles(x, out, first, to, weightOf(period), state)
}

/** Double exponential averages of the candles after the seeds: x − (x − e₁) + (e₁ − e₂). */
function doubles(x: Column, out: Column, from: i32, to: i32, alpha: f64, state: Column): void {
  if (endsOdd(from, to)) {
    doubles(x, out, from, to - 1, alpha, state)
    from = to - 1
  }
  const keep = f64x2.splat(1 - alpha)
  const square = f64x2.splat((1 - alpha) * (1 - alpha))
  const weight = f64x2.splat(alpha)
  let changes = state.pair(0)
  let once = state.pair(2)
  let twice = state.pair(4)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const values = x.pair(i)
    const change = f64x2.sub(values, x.pair(i - 1))
    const sum = decayed(once, change, delayed(changes, change), keep, square)
    twice = decayed(twice, sum, delayed(once, sum), keep, square)
    const lag = f64x2.mul(keep, f64x2.sub(sum, f64x2.mul(weight, twice)))
    out.setPair(i, f64x2.sub(values, lag))
    changes = change
    once = sum
  }
  out[to] = after
  endPair(state, 0, changes, from, to)
  endPair(state, 2, once, from, to)
  endPair(state, 4, twice, from, to)
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
  clearFirst(from, state, tripleState)
  if (period === 1) {
    copy(x, start, out, from, to)
    return
  }
  const last = start + 3 * (period - 1)
  const first = seed(x, start, out, from, to, period, 3, state)
  if (from <= last && last < to) {
    out[last] = 3 * (state[0] - state[1]) + state[2]
    beginChain(x[last], period, 3, state)
  }
  if (first < to) triples(x, out, first, to, weightOf(period), state)
}

/** Triple exponential averages of the candles after the seeds: x − (x − e₁) + 2·(e₁ − e₂) − (e₂ − e₃). */
function triples(x: Column, out: Column, from: i32, to: i32, alpha: f64, state: Column): void {
  if (endsOdd(from, to)) {
    triples(x, out, from, to - 1, alpha, state)
    from = to - 1
  }
  const keep = f64x2.splat(1 - alpha)
  const square = f64x2.splat((1 - alpha) * (1 - alpha))
  const secondWeight = f64x2.splat(-2 * alpha)
  const thirdWeight = f64x2.splat(alpha * alpha)
  let changes = state.pair(0)
  let once = state.pair(2)
  let twice = state.pair(4)
  let thrice = state.pair(6)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const values = x.pair(i)
    const change = f64x2.sub(values, x.pair(i - 1))
    const sum = decayed(once, change, delayed(changes, change), keep, square)
    const second = decayed(twice, sum, delayed(once, sum), keep, square)
    thrice = decayed(thrice, second, delayed(twice, second), keep, square)
    const others = f64x2.add(f64x2.mul(second, secondWeight), f64x2.mul(thrice, thirdWeight))
    out.setPair(i, f64x2.sub(values, f64x2.mul(keep, f64x2.add(sum, others))))
    changes = change
    once = sum
    twice = second
  }
  out[to] = after
  endPair(state, 0, changes, from, to)
  endPair(state, 2, once, from, to)
  endPair(state, 4, twice, from, to)
  endPair(state, 6, thrice, from, to)
}

/**
 * Change of e₃ since the previous candle in percent, 0 after an average of 0; NaN before the second e₃. State: `tripleState` + 2
 * numbers, those of a triple average, with values instead of their changes, and a pair of e₃.
 */
export function tripleChange(x: Column, out: Column, from: i32, to: i32, period: i32, state: Column): void {
  clearFirst(from, state, tripleState + 2)
  const last = 3 * (period - 1)
  const first = seed(x, 0, out, from, to, period, 3, state)
  if (from <= last && last < to) {
    out[last] = NaN
    state[tripleState + 1] = state[2]
    beginChain(x[last], period, 3, state)
    state[0] = x[last]
    state[1] = x[last]
  }
  if (first < to) movesOf(x, out, first, to, weightOf(period), state)
}

/**
 * The changes of e₃ = x − (x − e₁) − (e₁ − e₂) − (e₂ − e₃) in percent, for the candles after the first e₃. The first sum adds
 * alpha·(x[i] − x[i − 1]) + keep·(x[i] − x[i − 2]), the sum of the last two changes with their weights, without an exchange of lanes.
 */
function movesOf(x: Column, out: Column, from: i32, to: i32, alpha: f64, state: Column): void {
  if (endsOdd(from, to)) {
    movesOf(x, out, from, to - 1, alpha, state)
    from = to - 1
  }
  const keep = f64x2.splat(1 - alpha)
  const square = f64x2.splat((1 - alpha) * (1 - alpha))
  const secondWeight = f64x2.splat(alpha)
  const thirdWeight = f64x2.splat(alpha * alpha)
  const weight = f64x2.splat(alpha)
  const percent = f64x2.splat(100 * alpha * alpha * alpha)
  const zero = f64x2.splat(0)
  let prices = state.pair(0)
  let once = state.pair(2)
  let twice = state.pair(4)
  let thrice = state.pair(6)
  let means = state.pair(8)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const values = x.pair(i)
    const change = f64x2.mul(f64x2.sub(values, x.pair(i - 1)), weight)
    const changeOfTwo = f64x2.mul(f64x2.sub(values, prices), keep)
    const sum = f64x2.add(f64x2.mul(once, square), f64x2.add(change, changeOfTwo))
    const second = decayedAgain(twice, sum, delayed(once, sum), keep, square)
    thrice = decayedAgain(thrice, second, delayed(twice, second), keep, square)
    const others = f64x2.add(sum, f64x2.mul(second, secondWeight))
    const mean = f64x2.sub(values, f64x2.mul(keep, f64x2.add(others, f64x2.mul(thrice, thirdWeight))))
    // The third average moves by alpha³ of the sums that are decayed three times.
    const before = delayed(means, mean)
    const moved = f64x2.div(f64x2.mul(thrice, percent), before)
    out.setPair(i, v128.andnot(moved, f64x2.eq(before, zero)))
    prices = values
    once = sum
    twice = second
    means = mean
  }
  out[to] = after
  endPair(state, 0, prices, from, to)
  endPair(state, 2, once, from, to)
  endPair(state, 4, twice, from, to)
  endPair(state, 6, thrice, from, to)
  endPair(state, 8, means, from, to)
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
