import { Column, Frame } from '../../frame'
import {
  Filter,
  rootOfHalf,
  setSecondHighPass,
  setSuperSmoother,
} from '../../parts/averages/recursive-filter'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'

/** The shortest lag. */
const shortest: i32 = 3
/** Share of the peak that is kept per candle, and the minimum share of the peak at which a period counts. */
const peakKept: f64 = 0.995
const leastShare: f64 = 0.5
/** Indexes in the state: the filters, the peak and the last value, then the powers, the cosines and the overlap. */
const peakAt: i32 = 2 * Filter.size
const powersAt: i32 = peakAt + 2

/**
 * Autocorrelation Periodogram: the dominant period of the close between `minPeriod` and `maxPeriod` candles. The
 * roofing filter of these periods is correlated with itself at the lags 3 … `maxPeriod`, each over `avgLength` candles,
 * or over the lag if `avgLength` is 0; the power of each period in these correlations is smoothed, and the value is the
 * mean of the periods with at least half of the peak, weighted by their power.
 * The filter is 0 before the first candle. If no period has half of the peak, the value stays unchanged. Powers are
 * computed by Goertzel's recursion. QuanTAlib decays the peak differently and smooths the result.
 * Source: Ehlers, Cycle Analytics for Traders (2013), chapter 8.
 */
export function autocorrelationperiodogram(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const state = frame.state
  const least = frame.integer(0)
  const most = frame.integer(1)
  const length = frame.integer(2)
  const reach = length > 0 ? length : most
  const tail = most + reach - 1
  const count = most - least + 1
  const even = (count + 1) & ~1
  const powers = state.from(powersAt)
  const turns = powers.from(even)
  const saved = turns.from(even)
  const highPass = Filter.at(state)
  const smoother = Filter.at(state.from(Filter.size))
  if (from === 0) {
    setSecondHighPass(highPass, most, rootOfHalf)
    setSuperSmoother(smoother, least)
    state[peakAt] = 0
    state[peakAt + 1] = NaN
    for (let k = 0; k < even; k++) {
      powers[k] = 0
      turns[k] = 2 * Math.cos((2 * Math.PI) / <f64>(least + k))
    }
  }
  const filtered = frame.scratch(0).from(tail - from)
  const correlations = frame.scratch(1)
  const distances = frame.scratch(2)
  restoreOverlap(filtered, from, tail, saved, from === 0)
  highPass.run(frame.input(0), filtered, from, to, 2, false)
  smoother.run(filtered, filtered, from, to, 2, true)
  saveOverlap(filtered, to, tail, saved)
  const lags = most - shortest + 1
  let peak = state[peakAt]
  let value = state[peakAt + 1]
  for (let i = from; i < to; i++) {
    if (length > 0) correlateAlike(filtered, i, correlations, distances, most, lags, length)
    else correlateByLag(filtered, i, correlations, most, lags)
    for (let k = 0; k < count; k += 8) transform(correlations, lags, turns.from(k), powers.from(k), even - k)
    if (even > count) powers[count] = 0
    peak = peakOf(powers, even, peak)
    if (peak > 0) value = dominant(powers, count, peak, least, value)
    out[i] = value
  }
  state[peakAt] = peak
  state[peakAt + 1] = value
  warmup(out, from, to, tail)
}

/** Writes the correlations of the last `length` values with those `most` − r candles before to `out[r]`, two at a time. */
function correlateAlike(
  x: Column,
  i: i32,
  out: Column,
  distances: Column,
  most: i32,
  count: i32,
  length: i32,
): void {
  const share = 1 / <f64>length
  let sum: f64 = 0
  for (let k = 0; k < length; k++) sum += x[i - k]
  const mean = sum * share
  let square: f64 = 0
  for (let k = 0; k < length; k++) {
    const distance = x[i - k] - mean
    distances[k] = distance
    square += distance * distance
  }
  const zero = f64x2.splat(0)
  const shares = f64x2.splat(share)
  const squares = f64x2.splat(square)
  for (let r = 0; r < count; r += 2) {
    const other = x.from(i - most + r)
    let sums = zero
    for (let k = 0; k < length; k++) sums = f64x2.add(sums, other.pair(-k))
    const means = f64x2.mul(sums, shares)
    let otherSquares = zero
    let products = zero
    for (let k = 0; k < length; k++) {
      const distance = f64x2.sub(other.pair(-k), means)
      otherSquares = f64x2.add(otherSquares, f64x2.mul(distance, distance))
      products = f64x2.add(products, f64x2.mul(distance, f64x2.splat(distances[k])))
    }
    const size = f64x2.mul(squares, otherSquares)
    const correlation = f64x2.div(products, f64x2.sqrt(size))
    out.setPair(r, v128.and(correlation, f64x2.gt(size, zero)))
  }
}

/** The same correlations, each over a number of values that equals the lag. */
function correlateByLag(x: Column, i: i32, out: Column, most: i32, count: i32): void {
  for (let r = 0; r < count; r++) {
    const lag = most - r
    let sum: f64 = 0
    let otherSum: f64 = 0
    for (let k = 0; k < lag; k++) {
      sum += x[i - k]
      otherSum += x[i - lag - k]
    }
    const mean = sum / <f64>lag
    const otherMean = otherSum / <f64>lag
    let square: f64 = 0
    let otherSquare: f64 = 0
    let product: f64 = 0
    for (let k = 0; k < lag; k++) {
      const distance = x[i - k] - mean
      const other = x[i - lag - k] - otherMean
      square += distance * distance
      otherSquare += other * other
      product += distance * other
    }
    const size = square * otherSquare
    out[r] = size > 0 ? product / sqrt(size) : 0
  }
}

/** Smooths the powers of up to eight periods; `turns` holds twice the cosines of their angles. */
function transform(x: Column, count: i32, turns: Column, powers: Column, periods: i32): void {
  const zero = f64x2.splat(0)
  const turn0 = turns.pair(0)
  const turn1 = turns.pair(min(2, periods - 2))
  const turn2 = turns.pair(min(4, periods - 2))
  const turn3 = turns.pair(min(6, periods - 2))
  let one0 = zero
  let one1 = zero
  let one2 = zero
  let one3 = zero
  let two0 = zero
  let two1 = zero
  let two2 = zero
  let two3 = zero
  for (let k = 0; k < count; k++) {
    const value = f64x2.splat(x[k])
    const now0 = f64x2.add(f64x2.sub(value, two0), f64x2.mul(turn0, one0))
    const now1 = f64x2.add(f64x2.sub(value, two1), f64x2.mul(turn1, one1))
    const now2 = f64x2.add(f64x2.sub(value, two2), f64x2.mul(turn2, one2))
    const now3 = f64x2.add(f64x2.sub(value, two3), f64x2.mul(turn3, one3))
    two0 = one0
    two1 = one1
    two2 = one2
    two3 = one3
    one0 = now0
    one1 = now1
    one2 = now2
    one3 = now3
  }
  powers.setPair(0, smoothed(powers.pair(0), one0, two0, turn0))
  if (periods > 2) powers.setPair(2, smoothed(powers.pair(2), one1, two1, turn1))
  if (periods > 4) powers.setPair(4, smoothed(powers.pair(4), one2, two2, turn2))
  if (periods > 6) powers.setPair(6, smoothed(powers.pair(6), one3, two3, turn3))
}

/** A fifth of the square of the new power, plus four fifths of the previous smoothed power. */
function smoothed(before: v128, one: v128, two: v128, turn: v128): v128 {
  const squares = f64x2.add(f64x2.mul(one, one), f64x2.mul(two, two))
  const power = f64x2.sub(squares, f64x2.mul(turn, f64x2.mul(one, two)))
  return f64x2.add(f64x2.mul(f64x2.splat(0.2), f64x2.mul(power, power)), f64x2.mul(f64x2.splat(0.8), before))
}

function peakOf(powers: Column, count: i32, before: f64): f64 {
  let highest = f64x2.splat(before * peakKept)
  for (let k = 0; k < count; k += 2) highest = f64x2.pmax(highest, powers.pair(k))
  return max(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1))
}

/** Mean of the periods from `least` on with enough power, weighted by power; `before` if there are none. */
function dominant(powers: Column, count: i32, peak: f64, least: i32, before: f64): f64 {
  let total: f64 = 0
  let weighted: f64 = 0
  for (let k = 0; k < count; k++) {
    const share = powers[k] / peak
    const weight = share >= leastShare ? share : 0
    total += weight
    weighted += weight * <f64>(least + k)
  }
  return total > 0 ? weighted / total : before
}
