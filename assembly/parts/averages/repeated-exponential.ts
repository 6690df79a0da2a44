import { Column } from '../../frame'
import { decayed, feed } from './decayed-sums'
import { weightOf } from './present-average'
import { Segments } from './segments'

/** Numbers of state of a double exponential average. */
export const doubleState = 2

/** Numbers of state of a triple exponential average. */
export const tripleState = 3

/** Size of the state of the changes of a triple average, in numbers. */
export const changeState = tripleState + 1

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

/** Replaces the averages of a chain by the decayed sums of which they lag behind, after the last average is seeded. */
function beginChain(value: f64, period: i32, stages: i32, state: Column): void {
  const alpha = weightOf(period)
  let followed = value
  let unit = 1 - alpha
  for (let s = 0; s < stages; s++, unit *= alpha) {
    const mean = state[s]
    state[s] = unit !== 0 ? (followed - mean) / unit : 0
    followed = mean
  }
}

/** A chain of averages over a single value, which are that value. */
function copy(x: Column, start: i32, out: Column, from: i32, to: i32, stages: i32, state: Column): void {
  for (let i = from; i < to; i++) out[i] = i < start ? NaN : x[i]
  for (let s = 0; s < stages; s++) state[s] = 0
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
  const first = seed(x, start, out, from, to, period, 2, state)
  if (from <= last && last < to) {
    out[last] = 2 * state[0] - state[1]
    beginChain(x[last], period, 2, state)
  }
  if (first < to) doubles(x, out, first, to, weightOf(period), state)
}

/** Double exponential averages of the candles after the seeds. */
function doubles(x: Column, out: Column, from: i32, to: i32, alpha: f64, state: Column): void {
  Segments.interleave(alpha, doubleState)
  const keep = f64x2.splat(1 - alpha)
  const weight = f64x2.splat(alpha)
  let once = Segments.number(state, 0)
  let again = Segments.number(state, 1)
  for (let i = from; i < to; i++) {
    once = decayed(once, Segments.lanes(f64x2.sub(x.pair(i), x.pair(i - 1))), keep)
    again = decayed(again, once, keep)
    const lag = f64x2.mul(keep, f64x2.sub(once, f64x2.mul(weight, again)))
    Segments.write(out, i, f64x2.sub(Segments.lanes(x.pair(i)), lag))
  }
  Segments.setNumber(state, 0, once)
  Segments.setNumber(state, 1, again)
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
  const first = seed(x, start, out, from, to, period, 3, state)
  if (from <= last && last < to) {
    out[last] = 3 * (state[0] - state[1]) + state[2]
    beginChain(x[last], period, 3, state)
  }
  if (first < to) triples(x, out, first, to, weightOf(period), state)
}

/** The averages e₁ − 2·(e₂ − e₁) + (e₃ − e₂) of the candles after the seeds. */
function triples(x: Column, out: Column, from: i32, to: i32, alpha: f64, state: Column): void {
  Segments.interleave(alpha, tripleState)
  const keep = f64x2.splat(1 - alpha)
  const second = f64x2.splat(-2 * alpha)
  const third = f64x2.splat(alpha * alpha)
  let once = Segments.number(state, 0)
  let again = Segments.number(state, 1)
  let thrice = Segments.number(state, 2)
  for (let i = from; i < to; i++) {
    once = decayed(once, Segments.lanes(f64x2.sub(x.pair(i), x.pair(i - 1))), keep)
    again = decayed(again, once, keep)
    thrice = decayed(thrice, again, keep)
    const others = f64x2.add(f64x2.mul(again, second), f64x2.mul(thrice, third))
    Segments.write(out, i, f64x2.sub(Segments.lanes(x.pair(i)), f64x2.mul(keep, f64x2.add(once, others))))
  }
  Segments.setNumber(state, 0, once)
  Segments.setNumber(state, 1, again)
  Segments.setNumber(state, 2, thrice)
}

/**
 * Change of e₃ since the previous candle in percent, 0 after an average of 0; NaN before the second e₃. State: `changeState`
 * numbers, those of a triple average and e₃.
 */
export function tripleChange(x: Column, out: Column, from: i32, to: i32, period: i32, state: Column): void {
  const last = 3 * (period - 1)
  const first = seed(x, 0, out, from, to, period, 3, state)
  if (from <= last && last < to) {
    out[last] = NaN
    state[tripleState] = state[2]
    beginChain(x[last], period, 3, state)
  }
  if (first < to) changes(x, out, first, to, weightOf(period), state)
}

/** The changes of e₃ = e₁ + (e₂ − e₁) + (e₃ − e₂) in percent, for the candles after the first e₃. */
function changes(x: Column, out: Column, from: i32, to: i32, alpha: f64, state: Column): void {
  Segments.interleave(alpha, changeState)
  const keep = f64x2.splat(1 - alpha)
  const second = f64x2.splat(alpha)
  const third = f64x2.splat(alpha * alpha)
  const percent = f64x2.splat(100 * alpha * alpha * alpha)
  const zero = f64x2.splat(0)
  let once = Segments.number(state, 0)
  let again = Segments.number(state, 1)
  let thrice = Segments.number(state, 2)
  let mean = Segments.number(state, 3)
  for (let i = from; i < to; i++) {
    once = decayed(once, Segments.lanes(f64x2.sub(x.pair(i), x.pair(i - 1))), keep)
    again = decayed(again, once, keep)
    thrice = decayed(thrice, again, keep)
    // The third average moves by alpha³ of the sums that are decayed three times.
    const moved = f64x2.div(f64x2.mul(thrice, percent), mean)
    Segments.write(out, i, v128.andnot(moved, f64x2.eq(mean, zero)))
    const others = f64x2.add(f64x2.mul(again, second), f64x2.mul(thrice, third))
    mean = f64x2.sub(Segments.lanes(x.pair(i)), f64x2.mul(keep, f64x2.add(once, others)))
  }
  Segments.setNumber(state, 0, once)
  Segments.setNumber(state, 1, again)
  Segments.setNumber(state, 2, thrice)
  Segments.setNumber(state, 3, mean)
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
