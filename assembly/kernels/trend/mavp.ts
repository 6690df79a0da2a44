import { average, averageLookback, averageState, mesa } from '../../average-types/average'
import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Moving average with variable period: at each candle the average of the kind `maType` whose period is the value of the
 * second source, cut to whole numbers and limited to minPeriod … maxPeriod.
 * Recursive averages of all periods begin at the first candle that is printed, as in TA-Lib; averages chosen by name
 * begin with the first candle.
 * Source: TA-Lib 0.6 MAVP.
 */
export function mavp(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const periods = frame.input(1)
  const out = frame.output(0)
  const minPeriod = frame.integer(0)
  const maxPeriod = frame.integer(1)
  const type = frame.integer(2)
  const state = frame.state
  // The simple averages use one scratch column fewer than `maxPeriod` has binary digits.
  const sums = frame.scratch(0)
  const lookback = averageLookback(type, maxPeriod)
  if (type > 8) named(frame, type, periods, from, to, minPeriod, maxPeriod)
  else if (type === 0)
    simple(frame, x, periods, out, warmup(out, from, to, lookback), to, minPeriod, maxPeriod)
  else if (type === 7) mesa(x, 0, out, sums.from(-from), from, to, 0.5, 0.05, state)
  else if (type === 6) kaufman(x, periods, out, from, to, minPeriod, maxPeriod, state)
  else if (type === 2 || type === 5) {
    const first = warmup(out, from, to, lookback)
    weightedOrTriangular(type, x, periods, out, first, to, minPeriod, maxPeriod, sums, frame.scratch(1))
  } else {
    const stages = type === 1 ? 1 : type === 3 ? 2 : type === 4 ? 3 : 6
    const begin = seed(x, periods, out, from, to, minPeriod, maxPeriod, stages, state)
    chains(x, periods, out, begin, to, minPeriod, maxPeriod, stages, state, sums)
  }
}

/**
 * Averages chosen by name: computes the averages of all periods in full, and copies for every candle the one of its
 * period.
 */
function named(
  frame: Frame,
  type: i32,
  periods: Column,
  from: i32,
  to: i32,
  minPeriod: i32,
  maxPeriod: i32,
): void {
  const out = frame.output(0)
  const line = frame.scratch(0).from(-from)
  const begin = warmup(out, from, to, averageLookback(type, maxPeriod))
  for (let i = begin; i < to; i++) out[i] = NaN
  let state = frame.state
  for (let period = minPeriod; period <= maxPeriod; period++) {
    average(type, frame.input(0), 0, line, from, to, period, state, frame, 1)
    for (let i = begin; i < to; i++)
      out[i] = periodAt(periods, i, minPeriod, maxPeriod) === period ? line[i] : out[i]
    state = state.from(averageState(type, period))
  }
}

/** The period of a candle, 0 where there is none. */
function periodAt(periods: Column, i: i32, minPeriod: i32, maxPeriod: i32): i32 {
  const period = periods[i]
  if (period >= <f64>maxPeriod) return maxPeriod
  if (period < <f64>minPeriod) return minPeriod
  return Number.isNaN(period) ? 0 : <i32>period
}

/**
 * Simple averages. The sums over the 2, 4, 8 … candles that end at each candle are computed for some hundreds of
 * candles at a time, which fit into the L1 cache. A window is the sum of one of them per binary digit of its length,
 * computed for a run of candles with the same period, or for two candles at once.
 */
function simple(
  frame: Frame,
  x: Column,
  periods: Column,
  out: Column,
  first: i32,
  to: i32,
  minPeriod: i32,
  maxPeriod: i32,
): void {
  if (first >= to) return
  const after = out[to]
  for (let begin = first; begin < to; begin += 256) {
    const end = min(begin + 256, to)
    const oldest = begin - maxPeriod + 1
    sumPowers(frame, x, oldest, end, maxPeriod)
    for (let i = begin; i < end; ) {
      const period = periodAt(periods, i, minPeriod, maxPeriod)
      const stop = endOfRun(periods, i, end, period, minPeriod, maxPeriod)
      // Values written behind the run are overwritten later.
      if (stop >= i + 8 && period > 0) sumRun(frame, x, out, i, stop, period, oldest)
      else {
        const divisor = period === 0 ? NaN : <f64>period
        for (let j = i; j < stop; j += 2)
          out.setPair(j, f64x2.div(sumPair(frame, x, j, period, oldest), f64x2.splat(divisor)))
      }
      i = stop
    }
  }
  out[to] = after
}

/** Writes the sums over the 2, 4, 8 … candles that end at each candle before `to`, where they begin at `oldest` or later. */
function sumPowers(frame: Frame, x: Column, oldest: i32, to: i32, maxPeriod: i32): void {
  const twos = frame.scratch(0).from(-oldest)
  const fours = frame.scratch(1).from(-oldest)
  const eights = frame.scratch(2).from(-oldest)
  let two = f64x2.splat(0)
  let four = two
  let fourBefore = two
  for (let i = oldest + 1; i < to; i += 2) {
    const twoBefore = two
    const fourBeforeThat = fourBefore
    two = f64x2.add(x.pair(i), x.pair(i - 1))
    fourBefore = four
    four = f64x2.add(two, twoBefore)
    twos.setPair(i, two)
    fours.setPair(i, four)
    eights.setPair(i, f64x2.add(four, fourBeforeThat))
  }
  for (let half = 8, k = 3; 2 * half <= maxPeriod; half *= 2, k++) {
    const halves = frame.scratch(k - 1).from(-oldest)
    const sums = frame.scratch(k).from(-oldest)
    for (let i = oldest + 2 * half - 1; i < to; i += 2)
      sums.setPair(i, f64x2.add(halves.pair(i), halves.pair(i - half)))
  }
}

/** End of the run of candles from `i` on, before `end`, that have the period of candle `i`. */
function endOfRun(periods: Column, i: i32, end: i32, period: i32, minPeriod: i32, maxPeriod: i32): i32 {
  const least = f64x2.splat(<f64>minPeriod)
  const most = f64x2.splat(<f64>maxPeriod)
  const wanted = f64x2.splat(<f64>period)
  let stop = i + 1
  if (stop >= end || periodAt(periods, stop, minPeriod, maxPeriod) !== period) return stop
  for (stop++; stop + 1 < end; stop += 2) {
    const cut = f64x2.trunc(f64x2.pmin(f64x2.pmax(periods.pair(stop), least), most))
    if (!i64x2.all_true(f64x2.eq(cut, wanted))) break
  }
  return stop < end && periodAt(periods, stop, minPeriod, maxPeriod) === period ? stop + 1 : stop
}

/** Writes the averages of a run of candles with the same period, two binary digits of the period at a time. */
function sumRun(frame: Frame, x: Column, out: Column, from: i32, to: i32, period: i32, oldest: i32): void {
  const none = changetype<Column>(0)
  let isFirst = true
  let other = none
  let behind = 0
  for (let digits = period, k = -1, size = 1; digits !== 0; digits >>= 1, k++, size *= 2) {
    if (digits & 1) {
      const sums = k < 0 ? x : frame.scratch(k).from(-oldest - behind)
      const isLast = digits === 1
      if (other === none && !isLast) other = sums
      else {
        addSums(out, from, to, other, sums, isFirst, isLast ? <f64>period : 0)
        isFirst = false
        other = none
      }
      behind += size
    }
  }
}

/** Adds two columns to `out`, or only `b` if `a` is 0, or writes their sum. Divides by a divisor other than 0. */
function addSums(out: Column, from: i32, to: i32, a: Column, b: Column, isFirst: bool, divisor: f64): void {
  const divisors = f64x2.splat(divisor)
  const isPair = changetype<usize>(a) !== 0
  for (let i = from; i < to; i += 2) {
    let sum = isFirst ? f64x2.splat(0) : out.pair(i)
    if (isPair) sum = f64x2.add(sum, a.pair(i))
    sum = f64x2.add(sum, b.pair(i))
    if (divisor !== 0) sum = f64x2.div(sum, divisors)
    out.setPair(i, sum)
  }
}

/** The sums of the `period` candles that end at candle `i`, and of the candles that end at the next one. */
function sumPair(frame: Frame, x: Column, i: i32, period: i32, oldest: i32): v128 {
  let total = f64x2.splat(0)
  if (period & 1) {
    total = x.pair(i)
    i--
  }
  for (let digits = period >> 1, k = 0, size = 2; digits !== 0; digits >>= 1, k++, size *= 2) {
    if (!(digits & 1)) continue
    total = f64x2.add(total, frame.scratch(k).pair(i - oldest))
    i -= size
  }
  return total
}

/**
 * Weighted and triangular averages. Sums over 2, 4, 8 … candles are kept for blocks that begin at multiples of
 * their length; a window is combined from at most two of each. The sums of a block are stored at its middle, which no
 * other block shares.
 *
 *   candle   8    9    10   11   12   13   14   15
 *            [  at 9 ] [  at 11] [  at 13] [  at 15]
 *            [      at 10      ] [      at 14      ]
 *            [                at 12                ]
 */
function weightedOrTriangular(
  type: i32,
  x: Column,
  periods: Column,
  out: Column,
  first: i32,
  to: i32,
  minPeriod: i32,
  maxPeriod: i32,
  sumColumn: Column,
  weightColumn: Column,
): void {
  if (first >= to) return
  const oldest = first - maxPeriod + 1
  const sums = sumColumn.from(-oldest)
  const weighted = weightColumn.from(-oldest)
  for (let half = 1; 2 * half <= maxPeriod; half *= 2) {
    const size = 2 * half
    const quarter = half >> 1
    const block = ((oldest + size - 1) / size) * size
    for (let middle = block + half; middle + half <= to; middle += size) {
      const left = half === 1 ? x[middle - 1] : sums[middle - quarter]
      const right = half === 1 ? x[middle] : sums[middle + quarter]
      const leftWeighted = half === 1 ? left : weighted[middle - quarter]
      const rightWeighted = half === 1 ? right : weighted[middle + quarter]
      sums[middle] = left + right
      weighted[middle] = leftWeighted + rightWeighted + <f64>half * right
    }
  }
  for (let i = first; i < to; i++) {
    const period = periodAt(periods, i, minPeriod, maxPeriod)
    const begin = i + 1 - period
    const size = <f64>period
    if (period === 0) out[i] = NaN
    else if (type === 2) out[i] = (2 * risingSum(x, sums, weighted, begin, i + 1)) / (size * (size + 1))
    else {
      const rising = <f64>((period + 1) >> 1)
      const falling = <f64>(period >> 1)
      const top = begin + ((period + 1) >> 1)
      const sum = risingSum(x, sums, weighted, begin, top) + fallingSum(x, sums, weighted, top, i + 1)
      out[i] = (2 * sum) / (rising * (rising + 1) + falling * (falling + 1))
    }
  }
}

/** The length of the largest block that begins at candle `i` and ends before candle `to`. */
function blockAt(i: i32, to: i32): i32 {
  return 1 << min(ctz(i), 31 - clz(to - i))
}

/** The sum of the candles [from, to) with the weights 1, 2, 3 … */
function risingSum(x: Column, sums: Column, weighted: Column, from: i32, to: i32): f64 {
  let total: f64 = 0
  for (let i = from; i < to; ) {
    const size = blockAt(i, to)
    const middle = i + (size >> 1)
    const offset = <f64>(i - from)
    total += size === 1 ? (offset + 1) * x[i] : weighted[middle] + offset * sums[middle]
    i += size
  }
  return total
}

/** The sum of the candles [from, to) with the weights … 3, 2, 1. */
function fallingSum(x: Column, sums: Column, weighted: Column, from: i32, to: i32): f64 {
  let total: f64 = 0
  for (let i = from; i < to; ) {
    const size = blockAt(i, to)
    const middle = i + (size >> 1)
    const offset = <f64>(to - i)
    total += size === 1 ? offset * x[i] : (offset + 1) * sums[middle] - weighted[middle]
    i += size
  }
  return total
}

/**
 * Feeds the chains of exponential averages of all periods up to the candle that seeds the last stage of each; returns
 * the candle from which on all of them are seeded. Stage s of period p is number s·(maxPeriod − minPeriod + 1) +
 * p − minPeriod of the state.
 */
function seed(
  x: Column,
  periods: Column,
  out: Column,
  from: i32,
  to: i32,
  minPeriod: i32,
  maxPeriod: i32,
  stages: i32,
  state: Column,
): i32 {
  const count = maxPeriod - minPeriod + 1
  const last = stages * (maxPeriod - 1)
  if (from === 0) for (let k = 0; k < stages * count; k++) state[k] = 0
  let i = from
  for (const end = min(to, last + 1); i < end; i++) {
    for (let period = maxPeriod; period >= minPeriod; period--) {
      let ready = last - (stages - 1) * (period - 1)
      if (i < ready - (period - 1)) break
      const alpha = 2 / <f64>(period + 1)
      let value = x[i]
      for (let at = period - minPeriod; at < stages * count; at += count) {
        if (i < ready) {
          state[at] += value
          break
        }
        value = i === ready ? (state[at] + value) / <f64>period : state[at] * (1 - alpha) + value * alpha
        state[at] = value
        ready += period - 1
      }
    }
    out[i] = i < last ? NaN : averageOf(periods, i, minPeriod, maxPeriod, stages, state)
  }
  return i
}

/** Moves the chains of all periods and writes the average of each candle's own period. */
function chains(
  x: Column,
  periods: Column,
  out: Column,
  begin: i32,
  to: i32,
  minPeriod: i32,
  maxPeriod: i32,
  stages: i32,
  state: Column,
  alphas: Column,
): void {
  const count = maxPeriod - minPeriod + 1
  for (let k = 0; k < count; k++) alphas[k] = 2 / <f64>(minPeriod + k + 1)
  for (let i = begin; i < to; i++) {
    for (let k = 0; k < count; k += 2) {
      const alpha = alphas.pair(k)
      let value = f64x2.splat(x[i])
      for (let at = k, end = stages * count; at < end; at += count) {
        const before = state.pair(at)
        value = f64x2.add(before, f64x2.mul(f64x2.sub(value, before), alpha))
        if (k + 1 < count) state.setPair(at, value)
        else state[at] = f64x2.extract_lane(value, 0)
      }
    }
    out[i] = averageOf(periods, i, minPeriod, maxPeriod, stages, state)
  }
}

/** The average at candle `i`, combined from the chain of its period. */
function averageOf(periods: Column, i: i32, minPeriod: i32, maxPeriod: i32, stages: i32, state: Column): f64 {
  const period = periodAt(periods, i, minPeriod, maxPeriod)
  if (period === 0) return NaN
  const count = maxPeriod - minPeriod + 1
  const chain = state.from(period - minPeriod)
  if (stages === 1) return chain[0]
  if (stages === 2) return 2 * chain[0] - chain[count]
  if (stages === 3) return 3 * (chain[0] - chain[count]) + chain[2 * count]
  const v = 0.7
  const w = 1 + v
  return (
    w * w * (w * chain[2 * count] - 3 * v * chain[3 * count]) +
    v * v * (3 * w * chain[4 * count] - v * chain[5 * count])
  )
}

/** Kaufman's averages of all periods, each starting from the value before the first output. */
function kaufman(
  x: Column,
  periods: Column,
  out: Column,
  from: i32,
  to: i32,
  minPeriod: i32,
  maxPeriod: i32,
  state: Column,
): void {
  const slow = 2.0 / 31
  const gap = 2.0 / 3 - slow
  for (let i = warmup(out, from, to, maxPeriod); i < to; i++) {
    if (i === maxPeriod) for (let k = 0; k <= maxPeriod - minPeriod; k++) state[k] = x[i - 1]
    let noise: f64 = 0
    for (let period = 1; period < minPeriod; period++) noise += abs(x[i - period + 1] - x[i - period])
    for (let period = minPeriod; period <= maxPeriod; period++) {
      noise += abs(x[i - period + 1] - x[i - period])
      const share = abs(x[i] - x[i - period]) / noise
      const root = (share < 1 ? share : 1) * gap + slow
      const mean = state[period - minPeriod]
      state[period - minPeriod] = mean + (x[i] - mean) * (root * root)
    }
    const period = periodAt(periods, i, minPeriod, maxPeriod)
    out[i] = period === 0 ? NaN : state[period - minPeriod]
  }
}
