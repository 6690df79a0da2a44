import { Column } from '../../frame'
import { decayed, feed } from '../averages/decayed-sums'
import { weightOf } from '../averages/present-average'
import { Segments } from '../averages/segments'

/** Numbers of state of a true strength. */
export const trueStrengthState = 5

/** Lower bound of a divisor: prevents a division by 0, and lets a strength fade where nothing moves. */
const leastSize = 1e-290

/**
 * Writes `scale` times the twice smoothed changes of x divided by the twice smoothed absolute changes, NaN before
 * longPeriod + shortPeriod − 1; and its exponential average, the signal, which begins signalPeriod − 1 candles later.
 * Where nothing has moved both are 0.
 *
 * State: `trueStrengthState` numbers: the decayed sums of changes, of sizes, and of both sums, whose weights cancel out, and
 * the signal. While they are being seeded, the averages.
 */
export function trueStrength(
  x: Column,
  out: Column,
  signalLine: Column,
  from: i32,
  to: i32,
  longPeriod: i32,
  shortPeriod: i32,
  signalPeriod: i32,
  scale: f64,
  state: Column,
): void {
  const seeded = longPeriod + shortPeriod - 1
  const last = seeded + signalPeriod - 1
  if (from === 0 && to > 0) out[0] = NaN
  for (let i = max(from, 1), end = min(to, seeded + 1); i < end; i++) {
    const change = x[i] - x[i - 1]
    feedBoth(change, i, longPeriod, shortPeriod, state)
    feedBoth(abs(change), i, longPeriod, shortPeriod, state.from(2))
    out[i] = NaN
    if (i < seeded) continue
    begin(longPeriod, shortPeriod, state)
    begin(longPeriod, shortPeriod, state.from(2))
    out[i] = state[3] !== 0 ? scale * (state[1] / state[3]) : 0
  }
  const long = weightOf(longPeriod)
  const short = weightOf(shortPeriod)
  const alpha = weightOf(signalPeriod)
  const middle = max(from, min(to, last + 1))
  const first = max(from, seeded + 1)
  const signal = state[4]
  if (first < middle) strengths(x, out, signalLine, first, middle, long, short, alpha, scale, state)
  state[4] = signal
  for (let i = from; i < middle; i++) {
    feed(out[i], i, seeded, signalPeriod, alpha, state.from(4))
    signalLine[i] = i < last ? NaN : state[4]
  }
  if (middle < to) strengths(x, out, signalLine, middle, to, long, short, alpha, scale, state)
}

/** Feeds an average and the average of it. */
function feedBoth(value: f64, i: i32, longPeriod: i32, shortPeriod: i32, averages: Column): void {
  feed(value, i, 1, longPeriod, weightOf(longPeriod), averages)
  if (i >= longPeriod) feed(averages[0], i, longPeriod, shortPeriod, weightOf(shortPeriod), averages.from(1))
}

/** Replaces an average and the average of it, once seeded, by decayed sums. */
function begin(longPeriod: i32, shortPeriod: i32, averages: Column): void {
  averages[0] /= weightOf(longPeriod)
  averages[1] /= weightOf(longPeriod) * weightOf(shortPeriod)
}

/** The strengths and signals of candles after the seeds of the strengths. */
function strengths(
  x: Column,
  out: Column,
  signalLine: Column,
  from: i32,
  to: i32,
  long: f64,
  short: f64,
  alpha: f64,
  scale: f64,
  state: Column,
): void {
  Segments.interleave(min(min(long, short), alpha), trueStrengthState)
  const longKeep = f64x2.splat(1 - long)
  const shortKeep = f64x2.splat(1 - short)
  const signalKeep = f64x2.splat(1 - alpha)
  const weight = f64x2.splat(alpha)
  const scales = f64x2.splat(scale)
  const least = f64x2.splat(leastSize)
  let once = Segments.number(state, 0)
  let twice = Segments.number(state, 1)
  let size = Segments.number(state, 2)
  let sizeTwice = Segments.number(state, 3)
  let signal = Segments.number(state, 4)
  for (let i = from; i < to; i++) {
    const change = Segments.lanes(f64x2.sub(x.pair(i), x.pair(i - 1)))
    once = decayed(once, change, longKeep)
    size = decayed(size, f64x2.add(f64x2.abs(change), least), longKeep)
    twice = decayed(twice, once, shortKeep)
    sizeTwice = decayed(sizeTwice, size, shortKeep)
    const strength = f64x2.mul(scales, f64x2.div(twice, sizeTwice))
    signal = decayed(signal, f64x2.mul(strength, weight), signalKeep)
    Segments.write(out, i, strength)
    // A sum of shares of the scale may exceed it by its last digits.
    Segments.write(signalLine, i, f64x2.pmax(f64x2.pmin(signal, scales), f64x2.neg(scales)))
  }
  Segments.setNumber(state, 0, once)
  Segments.setNumber(state, 1, twice)
  Segments.setNumber(state, 2, size)
  Segments.setNumber(state, 3, sizeTwice)
  Segments.setNumber(state, 4, signal)
}
