import { Column } from '../frame'
import { exponential } from './smoothing'
import { movingMean, movingSum, movingWeightedMean } from './sums'
import { keepTail, restoreTail } from './tail'
import { warmup } from './warmup'

/**
 * A moving average of the kind `type` by TA-Lib's numbers: 0 SMA, 1 EMA, 2 WMA, 3 DEMA, 4 TEMA, 5 TRIMA, 6 KAMA,
 * 7 MAMA (limits 0.5 and 0.05, whatever the period), 8 T3 (volume factor 0.7). A period of 1 is a copy.
 *
 * `x` has values from `start` on and is read as far back as the average's own lookback; `out` is NaN before
 * `start` plus that lookback. State and lookback: src/catalogue/average.ts. `first` and `second` are scratch.
 * x and out must not overlap.
 */
export function average(
  type: i32,
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
  first: Column,
  second: Column,
): void {
  if (period === 1) copy(x, start, out, from, to)
  else if (type === 0) movingMean(x, start, out, warmup(out, from, to, start + period - 1), to, period, first)
  else if (type === 1) exponential(x, start, out, from, to, period, 2 / <f64>(period + 1), state)
  else if (type === 2)
    movingWeightedMean(x, start, out, warmup(out, from, to, start + period - 1), to, period, first)
  else if (type === 3) double(x, start, out, from, to, period, state)
  else if (type === 4) triple(x, start, out, from, to, period, state)
  else if (type === 5) triangular(x, start, out, from, to, period, first, second)
  else if (type === 6) adaptive(x, start, out, from, to, period, state, first, second)
  else if (type === 7) mesa(x, start, out, from, to, state, first, second)
  else tillson(x, start, out, from, to, period, state)
}

/** Values that an average of the kind `type` needs before its first one. */
export function averageLookback(type: i32, period: i32): i32 {
  if (period === 1) return 0
  if (type === 3) return 2 * (period - 1)
  if (type === 4) return 3 * (period - 1)
  if (type === 6) return period
  if (type === 7) return 32
  if (type === 8) return 6 * (period - 1)
  return period - 1
}

/** Numbers that an average of the kind `type` keeps between calls. */
export function averageState(type: i32, period: i32): i32 {
  if (period === 1 || type === 0 || type === 2 || type === 5) return 0
  if (type === 3) return 2
  if (type === 4) return 3
  if (type === 7) return 22
  if (type === 8) return 6
  return 1
}

function copy(x: Column, start: i32, out: Column, from: i32, to: i32): void {
  for (let i = warmup(out, from, to, start); i < to; i++) out[i] = x[i]
}

/**
 * Feeds a chain of `stages` exponential averages, each smoothing the one before and seeded with the mean of its
 * first `period` values, up to the candle that seeds the last. Writes NaN to `out` before that candle and returns
 * the first candle not fed.
 */
export function seed(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  stages: i32,
  state: Column,
): i32 {
  if (from <= start) for (let s = 0; s < stages; s++) state[s] = 0
  const alpha = 2 / <f64>(period + 1)
  const last = start + stages * (period - 1)
  let i = from
  for (const end = min(to, last + 1); i < end; i++) {
    if (i < last) out[i] = NaN
    if (i < start) continue
    let value = x[i]
    for (let s = 0, ready = start + period - 1; s < stages; s++, ready += period - 1) {
      if (i < ready) {
        state[s] += value
        break
      }
      value = i === ready ? (state[s] + value) / <f64>period : state[s] * (1 - alpha) + value * alpha
      state[s] = value
    }
  }
  return i
}

/** Double exponential average 2·e₁ − e₂ (Mulloy 1994). */
function double(x: Column, start: i32, out: Column, from: i32, to: i32, period: i32, state: Column): void {
  const last = start + 2 * (period - 1)
  let i = seed(x, start, out, from, to, period, 2, state)
  let e1 = state[0]
  let e2 = state[1]
  if (from <= last && last < to) out[last] = 2 * e1 - e2
  const alpha = 2 / <f64>(period + 1)
  const keep = 1 - alpha
  for (; i < to; i++) {
    e1 = e1 * keep + x[i] * alpha
    e2 = e2 * keep + e1 * alpha
    out[i] = 2 * e1 - e2
  }
  state[0] = e1
  state[1] = e2
}

/** Triple exponential average 3·e₁ − 3·e₂ + e₃ (Mulloy 1994). */
function triple(x: Column, start: i32, out: Column, from: i32, to: i32, period: i32, state: Column): void {
  const last = start + 3 * (period - 1)
  let i = seed(x, start, out, from, to, period, 3, state)
  let e1 = state[0]
  let e2 = state[1]
  let e3 = state[2]
  if (from <= last && last < to) out[last] = 3 * (e1 - e2) + e3
  const alpha = 2 / <f64>(period + 1)
  const keep = 1 - alpha
  for (; i < to; i++) {
    e1 = e1 * keep + x[i] * alpha
    e2 = e2 * keep + e1 * alpha
    e3 = e3 * keep + e2 * alpha
    out[i] = 3 * (e1 - e2) + e3
  }
  state[0] = e1
  state[1] = e2
  state[2] = e3
}

/** Tillson's T3: the double average with volume factor 0.7 applied three times, expanded into e₃ … e₆ (1998). */
function tillson(x: Column, start: i32, out: Column, from: i32, to: i32, period: i32, state: Column): void {
  const v = 0.7
  const c6 = -v * v * v
  const c5 = 3 * v * v * (1 + v)
  const c4 = -3 * v * (1 + v) * (1 + v)
  const c3 = (1 + v) * (1 + v) * (1 + v)
  const last = start + 6 * (period - 1)
  let i = seed(x, start, out, from, to, period, 6, state)
  let e1 = state[0]
  let e2 = state[1]
  let e3 = state[2]
  let e4 = state[3]
  let e5 = state[4]
  let e6 = state[5]
  if (from <= last && last < to) out[last] = c6 * e6 + c5 * e5 + c4 * e4 + c3 * e3
  const alpha = 2 / <f64>(period + 1)
  const keep = 1 - alpha
  for (; i < to; i++) {
    e1 = e1 * keep + x[i] * alpha
    e2 = e2 * keep + e1 * alpha
    e3 = e3 * keep + e2 * alpha
    e4 = e4 * keep + e3 * alpha
    e5 = e5 * keep + e4 * alpha
    e6 = e6 * keep + e5 * alpha
    out[i] = c6 * e6 + c5 * e5 + c4 * e4 + c3 * e3
  }
  state[0] = e1
  state[1] = e2
  state[2] = e3
  state[3] = e4
  state[4] = e5
  state[5] = e6
}

/** Triangular average: the mean of the means of half the period each. */
function triangular(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  first: Column,
  second: Column,
): void {
  const begin = warmup(out, from, to, start + period - 1)
  if (begin >= to) return
  const inner = (period + 1) >> 1
  const outer = period + 1 - inner
  const innerFrom = begin - outer + 1
  const means = first.from(-innerFrom)
  movingMean(x, start, means, innerFrom, to, inner, second)
  movingMean(means, start + inner - 1, out, begin, to, outer, second)
}

/**
 * Kaufman's adaptive average (1998): its weight is the square of a mean of 2/31 and 2/3 weighted by the efficiency
 * of the last `period` changes. Starts from the value before the first output, as TA-Lib does.
 */
function adaptive(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  state: Column,
  first: Column,
  second: Column,
): void {
  const begin = warmup(out, from, to, start + period)
  if (begin >= to) return
  const changesFrom = begin - period + 1
  const changes = first.from(-changesFrom)
  for (let i = changesFrom; i < to; i++) changes[i] = abs(x[i] - x[i - 1])
  movingSum(changes, start + 1, out, begin, to, period, second)
  const slow = 2.0 / 31
  const gap = 2.0 / 3 - slow
  let mean = begin === start + period ? x[begin - 1] : state[0]
  for (let i = begin; i < to; i++) {
    const noise = out[i]
    const move = x[i] - x[i - period]
    const efficiency = noise <= move ? 1 : abs(move / noise)
    const root = efficiency * gap + slow
    mean += (x[i] - mean) * (root * root)
    out[i] = mean
  }
  state[0] = mean
}

/** Ehlers' discrete Hilbert transform over a column, from its values now and two, four and six candles ago. */
function hilbert(now: f64, two: f64, four: f64, six: f64, gain: f64): f64 {
  return (0.0962 * (now - six) + 0.5769 * (two - four)) * gain
}

/**
 * MESA adaptive average (Ehlers 2001) with limits 0.5 and 0.05: its weight is the fast limit divided by how many
 * degrees the phase of the dominant cycle moved. The phase is the arctangent of the quotient and the first twelve
 * candles count as nothing, as in TA-Lib.
 */
function mesa(
  x: Column,
  start: i32,
  out: Column,
  from: i32,
  to: i32,
  state: Column,
  first: Column,
  second: Column,
): void {
  const fresh = from <= start
  const detrended = first.from(9 - from)
  const quadratures = second.from(6 - from)
  restoreTail(detrended, from, 9, state, fresh)
  restoreTail(quadratures, from, 6, state.from(9), fresh)
  let inPhase: f64 = fresh ? 0 : state[15]
  let quadrature: f64 = fresh ? 0 : state[16]
  let real: f64 = fresh ? 0 : state[17]
  let imaginary: f64 = fresh ? 0 : state[18]
  let cycle: f64 = fresh ? 0 : state[19]
  let phase: f64 = fresh ? 0 : state[20]
  let mean: f64 = fresh ? 0 : state[21]

  const degrees = 180 / Math.PI
  const begin = start + 12
  let i = warmup(out, from, to, begin)
  for (let j = from; j < i; j++) {
    detrended[j] = 0
    quadratures[j] = 0
  }
  let s1 = smooth(x, i - 1, begin)
  let s2 = smooth(x, i - 2, begin)
  let s3 = smooth(x, i - 3, begin)
  let s4 = smooth(x, i - 4, begin)
  let s5 = smooth(x, i - 5, begin)
  let s6 = smooth(x, i - 6, begin)
  for (; i < to; i++) {
    const gain = 0.075 * cycle + 0.54
    const s0 = smooth(x, i, begin)
    const trendless = hilbert(s0, s2, s4, s6, gain)
    detrended[i] = trendless
    const q1 = hilbert(trendless, detrended[i - 2], detrended[i - 4], detrended[i - 6], gain)
    quadratures[i] = q1
    const i1 = detrended[i - 3]
    const aheadI = hilbert(i1, detrended[i - 5], detrended[i - 7], detrended[i - 9], gain)
    const aheadQ = hilbert(q1, quadratures[i - 2], quadratures[i - 4], quadratures[i - 6], gain)
    const q2 = 0.2 * (q1 + aheadI) + 0.8 * quadrature
    const i2 = 0.2 * (i1 - aheadQ) + 0.8 * inPhase

    const angle = i1 !== 0 ? Math.atan(q1 / i1) * degrees : 0
    const turned = phase - angle
    phase = angle
    const weight = turned > 1 ? max(0.5 / turned, 0.05) : 0.5
    mean = weight * x[i] + (1 - weight) * mean
    out[i] = i < start + 32 ? NaN : mean

    real = 0.2 * (i2 * inPhase + q2 * quadrature) + 0.8 * real
    imaginary = 0.2 * (i2 * quadrature - q2 * inPhase) + 0.8 * imaginary
    inPhase = i2
    quadrature = q2
    let next = imaginary !== 0 && real !== 0 ? 360 / (Math.atan(imaginary / real) * degrees) : cycle
    if (next > 1.5 * cycle) next = 1.5 * cycle
    if (next < 0.67 * cycle) next = 0.67 * cycle
    if (next < 6) next = 6
    else if (next > 50) next = 50
    cycle = 0.2 * next + 0.8 * cycle

    s6 = s5
    s5 = s4
    s4 = s3
    s3 = s2
    s2 = s1
    s1 = s0
  }

  keepTail(detrended, to, 9, state)
  keepTail(quadratures, to, 6, state.from(9))
  state[15] = inPhase
  state[16] = quadrature
  state[17] = real
  state[18] = imaginary
  state[19] = cycle
  state[20] = phase
  state[21] = mean
}

/** The weighted mean of the last four values that the transform works on; 0 before `begin`. */
function smooth(x: Column, i: i32, begin: i32): f64 {
  return i < begin ? 0 : 0.1 * (4 * x[i] + 3 * x[i - 1] + 2 * x[i - 2] + x[i - 3])
}
