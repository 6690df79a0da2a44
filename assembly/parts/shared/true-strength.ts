import { Column } from '../../frame'
import { beginDecay, decayed, feed, saveNewest, shifted } from '../averages/decayed-sums'
import { Halves } from '../averages/halves'
import { weightOf } from '../averages/present-average'

/** Numbers of state of a true strength. */
export const trueStrengthState = 23

/** Lower bound of a divisor: prevents a division by 0, and lets a strength fade where nothing moves. */
const leastSize = 1e-290

/**
 * Writes `scale` times the twice smoothed changes of x divided by the twice smoothed absolute changes, NaN before
 * longPeriod + shortPeriod − 1; and its exponential average, the signal, which begins signalPeriod − 1 candles later.
 * Where nothing has moved both are 0.
 *
 * State: `trueStrengthState` numbers; in pairs the change, the inputs of the second averages of changes and of sizes,
 * their decayed sums, the signal and the weighted strength; then constants, and the signal while it is seeded. The
 * weights of the averages cancel out.
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
  const averages = state.from(10)
  if (from === 0 && to > 0) out[0] = NaN
  for (let i = max(from, 1), end = min(to, seeded + 1); i < end; i++) {
    const change = x[i] - x[i - 1]
    feedBoth(change, i, longPeriod, shortPeriod, averages)
    feedBoth(abs(change), i, longPeriod, shortPeriod, averages.from(2))
    out[i] = NaN
    if (i < seeded) continue
    begin(change, longPeriod, shortPeriod, averages, state)
    out[i] = state[9] !== 0 ? scale * (state[7] / state[9]) : 0
  }
  const middle = max(from, min(to, last + 1))
  strengths(
    x,
    out,
    signalLine,
    max(from, seeded + 1),
    middle,
    longPeriod,
    shortPeriod,
    signalPeriod,
    scale,
    state,
  )
  for (let i = from; i < middle; i++) {
    feed(out[i], i, seeded, signalPeriod, weightOf(signalPeriod), state.from(22))
    signalLine[i] = i < last ? NaN : state[22]
  }
  if (from <= last && last < to) {
    // The previous signal counts as the weighted strength of its candle: the next signal is then signal·keep plus its own
    // strength.
    state.setPair(10, f64x2.replace_lane(f64x2.splat(0), 1, state[22]))
    state.setPair(12, f64x2.splat(state[22]))
  }
  strengths(x, out, signalLine, middle, to, longPeriod, shortPeriod, signalPeriod, scale, state)
}

/** Feeds an average and the average of it. */
function feedBoth(value: f64, i: i32, longPeriod: i32, shortPeriod: i32, averages: Column): void {
  feed(value, i, 1, longPeriod, weightOf(longPeriod), averages)
  if (i >= longPeriod) feed(averages[0], i, longPeriod, shortPeriod, weightOf(shortPeriod), averages.from(1))
}

/** Writes the state that follows the seeded averages. */
function begin(change: f64, longPeriod: i32, shortPeriod: i32, averages: Column, state: Column): void {
  state.setPair(0, f64x2.replace_lane(f64x2.splat(0), 1, change))
  beginBoth(change, longPeriod, shortPeriod, averages, state.from(2))
  beginBoth(abs(change), longPeriod, shortPeriod, averages.from(2), state.from(4))
}

/** Writes the pairs at 0 and 4 of the state of changes, or of sizes. The value of the previous candle counts as 0. */
function beginBoth(value: f64, longPeriod: i32, shortPeriod: i32, averages: Column, state: Column): void {
  const long = weightOf(longPeriod)
  const short = weightOf(shortPeriod)
  const keep = 1 - long
  const sum = averages[0] / long
  const before = keep !== 0 ? (sum - value) / keep : 0
  const older = keep !== 0 ? before / keep : 0
  const twice = averages[1] / long / short
  state[0] = before + older * (1 - short)
  state[1] = sum + before * (1 - short)
  beginDecay(state.from(4), twice, sum, 1 - short)
}

/** The strengths and signals of candles after the seeds. */
function strengths(
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
  if (from >= to) return
  const long = weightOf(longPeriod)
  const short = weightOf(shortPeriod)
  // These constants are read from memory: a sum that finds no register would be stored and read between two candles.
  const alpha = weightOf(signalPeriod)
  const constants = state.from(14)
  constants.setPair(0, f64x2.splat(scale))
  constants.setPair(2, f64x2.splat(alpha))
  constants.setPair(4, f64x2.splat(1 - alpha))
  constants.setPair(6, f64x2.splat((1 - alpha) * (1 - alpha)))
  const end = from + ((to - from) & ~1)
  if (from < end) strengthsOfPairs(x, out, signalLine, from, end, long, short, state)
  if (end < to) strengthsOfPairs(x, out, signalLine, end, to, long, short, state)
}

/** The strengths and signals of whole pairs of candles, or of a single candle. */
function strengthsOfPairs(
  x: Column,
  out: Column,
  signalLine: Column,
  from: i32,
  to: i32,
  longAlpha: f64,
  shortAlpha: f64,
  state: Column,
): void {
  Halves.interleave(min(min(longAlpha, shortAlpha), state[16]), trueStrengthState)
  const isSingle = to - from === 1
  const long = 1 - longAlpha
  const short = 1 - shortAlpha
  const longTwice = f64x2.splat(long * long)
  const shortTwice = f64x2.splat(short * short)
  const first = f64x2.splat(long + short)
  const second = f64x2.splat(long * short)
  const constants = state.from(14)
  const least = f64x2.splat(leastSize)
  const after = out[to]
  const afterSignal = signalLine[to]
  let changes = state.pair(0)
  let once = state.pair(2)
  let size = state.pair(4)
  let twice = state.pair(6)
  let sizeTwice = state.pair(8)
  let signal = state.pair(10)
  let parts = state.pair(12)
  for (let i = from; i < to; i += 2) {
    const change = f64x2.sub(x.pair(i), x.pair(i - 1))
    const previous = shifted(changes, change)
    // (1 + long·z)(1 + short·z) applied to the values, z being one candle: both averages then wait for only a product and a
    // sum.
    const added = f64x2.add(f64x2.mul(previous, first), f64x2.mul(changes, second))
    const sizeAdded = f64x2.add(f64x2.mul(f64x2.abs(previous), first), f64x2.mul(f64x2.abs(changes), second))
    changes = change
    once = f64x2.add(f64x2.mul(once, longTwice), f64x2.add(change, added))
    size = f64x2.add(f64x2.mul(size, longTwice), f64x2.add(f64x2.add(f64x2.abs(change), least), sizeAdded))
    twice = f64x2.add(f64x2.mul(twice, shortTwice), once)
    sizeTwice = f64x2.add(f64x2.mul(sizeTwice, shortTwice), size)
    const strength = f64x2.mul(constants.pair(0), f64x2.div(twice, sizeTwice))
    const part = f64x2.mul(strength, constants.pair(2))
    signal = decayed(signal, part, shifted(parts, part), constants.pair(4), constants.pair(6))
    parts = part
    out.setPair(i, strength)
    signalLine.setPair(i, within(signal, constants.pair(0)))
  }
  out[to] = after
  signalLine[to] = afterSignal
  saveNewest(state, changes, isSingle)
  saveNewest(state.from(2), once, isSingle)
  saveNewest(state.from(4), size, isSingle)
  saveNewest(state.from(6), twice, isSingle)
  saveNewest(state.from(8), sizeTwice, isSingle)
  saveNewest(state.from(10), signal, isSingle)
  saveNewest(state.from(12), parts, isSingle)
}

/** Limits a number to ±`bound`: a sum of shares of the bound may exceed it by its last digits. */
function within(value: v128, bound: v128): v128 {
  return f64x2.pmax(f64x2.pmin(value, bound), f64x2.neg(bound))
}
