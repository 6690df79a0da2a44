import { Column } from '../../frame'
import { beginDecay, decayed, feed, saveNewest, shifted } from '../averages/decayed-sums'
import { weightOf } from '../averages/present-average'

/** Numbers of state of a true strength. */
export const trueStrengthState = 10

/** What a size is at least, so that nothing is divided by 0 and a strength fades where nothing moves. */
const leastSize = 1e-290

/**
 * Writes `scale` times the twice smoothed changes of x by the twice smoothed absolute changes; NaN before
 * longPeriod + shortPeriod − 1, and 0 where nothing has moved. State: `trueStrengthState` numbers; in pairs the change, its decayed
 * sum and that of its size, and the decayed sums of both. The weights of the averages cancel out.
 */
export function trueStrength(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  longPeriod: i32,
  shortPeriod: i32,
  scale: f64,
  state: Column,
): void {
  const seeded = longPeriod + shortPeriod - 1
  const averages = state.from(trueStrengthState - 4)
  if (from === 0 && to > 0) out[0] = NaN
  for (let i = max(from, 1), end = min(to, seeded + 1); i < end; i++) {
    const change = x[i] - x[i - 1]
    feedBoth(change, i, longPeriod, shortPeriod, averages)
    feedBoth(abs(change), i, longPeriod, shortPeriod, averages.from(2))
    out[i] = NaN
  }
  if (from <= seeded && seeded < to) {
    begin(longPeriod, shortPeriod, averages, state)
    out[seeded] = state[9] !== 0 ? (scale * state[7]) / state[9] : 0
  }
  const first = max(from, seeded + 1)
  if (first >= to) return
  const end = first + ((to - first) & ~1)
  strengthsOfPairs(x, out, first, end, longPeriod, shortPeriod, scale, false, state)
  if (end < to) strengthsOfPairs(x, out, end, to, longPeriod, shortPeriod, scale, true, state)
}

/** Feeds an average and the average of it. */
function feedBoth(value: f64, i: i32, longPeriod: i32, shortPeriod: i32, averages: Column): void {
  feed(value, i, 1, longPeriod, weightOf(longPeriod), averages)
  if (i >= longPeriod) feed(averages[0], i, longPeriod, shortPeriod, weightOf(shortPeriod), averages.from(1))
}

/** Writes the state that follows the seeded averages, which are the last of its numbers. */
function begin(longPeriod: i32, shortPeriod: i32, averages: Column, state: Column): void {
  const long = weightOf(longPeriod)
  const short = weightOf(shortPeriod)
  const once = averages[0] / long
  const twice = averages[1] / long / short
  const size = averages[2] / long
  const sizeTwice = averages[3] / long / short
  state.setPair(0, f64x2.splat(0))
  beginDecay(state.from(2), once, 0, 1 - long)
  beginDecay(state.from(4), size, 0, 1 - long)
  beginDecay(state.from(6), twice, once, 1 - short)
  beginDecay(state.from(8), sizeTwice, size, 1 - short)
}

/** The strengths of whole pairs of candles, or of a single candle. */
function strengthsOfPairs(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  longPeriod: i32,
  shortPeriod: i32,
  scale: f64,
  isSingle: bool,
  state: Column,
): void {
  if (from === to) return
  const long = f64x2.splat(1 - weightOf(longPeriod))
  const short = f64x2.splat(1 - weightOf(shortPeriod))
  const longTwice = f64x2.mul(long, long)
  const shortTwice = f64x2.mul(short, short)
  const factor = f64x2.splat(scale)
  const least = f64x2.splat(leastSize)
  const after = out[to]
  let changes = state.pair(0)
  let once = state.pair(2)
  let size = state.pair(4)
  let twice = state.pair(6)
  let sizeTwice = state.pair(8)
  for (let i = from; i < to; i += 2) {
    const change = f64x2.sub(x.pair(i), x.pair(i - 1))
    const previous = shifted(changes, change)
    changes = change
    const nextOnce = decayed(once, change, previous, long, longTwice)
    const nextSize = decayed(size, f64x2.add(f64x2.abs(change), least), f64x2.abs(previous), long, longTwice)
    twice = decayed(twice, nextOnce, shifted(once, nextOnce), short, shortTwice)
    sizeTwice = decayed(sizeTwice, nextSize, shifted(size, nextSize), short, shortTwice)
    once = nextOnce
    size = nextSize
    out.setPair(i, f64x2.div(f64x2.mul(factor, twice), sizeTwice))
  }
  out[to] = after
  saveNewest(state, changes, isSingle)
  saveNewest(state.from(2), once, isSingle)
  saveNewest(state.from(4), size, isSingle)
  saveNewest(state.from(6), twice, isSingle)
  saveNewest(state.from(8), sizeTwice, isSingle)
}
