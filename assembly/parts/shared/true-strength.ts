import { Column } from '../../frame'
import { beginPair, clearFirst, decayed, delayed, endPair, endsOdd, feed } from '../averages/decayed-sums'
import { exponentialAverage, exponentialState } from '../averages/exponential-average'
import { weightOf } from '../averages/present-average'

/** Numbers of state of strengths: the pairs of changes, of the decayed sums of changes and of their sums, and of those of sizes. */
const strengthState = 10

/** Numbers of state of a true strength and its signal. */
export const trueStrengthState = strengthState + exponentialState

/** Lower bound of a divisor: prevents a division by 0, and lets a strength fade where nothing moves. */
const leastSize = 1e-290

/**
 * Writes `scale` times the twice smoothed changes of x divided by the twice smoothed absolute changes, NaN before
 * longPeriod + shortPeriod − 1; and its exponential average, the signal, which begins signalPeriod − 1 candles later.
 * Where nothing has moved both are 0.
 *
 * State: `trueStrengthState` numbers (while the strength is being seeded, the averages, whose weights cancel out).
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
  clearFirst(from, state, strengthState)
  const seeded = longPeriod + shortPeriod - 1
  if (from === 0 && to > 0) out[0] = NaN
  for (let i = max(from, 1), end = min(to, seeded + 1); i < end; i++) {
    const change = x[i] - x[i - 1]
    feedBoth(change, i, longPeriod, shortPeriod, state)
    feedBoth(abs(change), i, longPeriod, shortPeriod, state.from(2))
    out[i] = NaN
    if (i < seeded) continue
    const moved = state[1]
    const size = state[3]
    out[i] = size !== 0 ? scale * (moved / size) : 0
    const sizeOnce = state[2]
    begin(longPeriod, shortPeriod, state[0], moved, state.from(2))
    begin(longPeriod, shortPeriod, sizeOnce, size, state.from(6))
    beginPair(state, 0, 0, 0, 1)
  }
  const first = max(from, seeded + 1)
  if (first < to) strengths(x, out, first, to, weightOf(longPeriod), weightOf(shortPeriod), scale, state)
  const alpha = weightOf(signalPeriod)
  exponentialAverage(out, seeded, signalLine, from, to, signalPeriod, alpha, state.from(strengthState))
}

/** Feeds an average and the average of it. */
function feedBoth(value: f64, i: i32, longPeriod: i32, shortPeriod: i32, averages: Column): void {
  feed(value, i, 1, longPeriod, weightOf(longPeriod), averages)
  if (i >= longPeriod) feed(averages[0], i, longPeriod, shortPeriod, weightOf(shortPeriod), averages.from(1))
}

/** Writes the pairs of decayed sums of a seeded average and of the average of it. */
function begin(longPeriod: i32, shortPeriod: i32, once: f64, twice: f64, state: Column): void {
  const long = weightOf(longPeriod)
  const short = weightOf(shortPeriod)
  beginPair(state, 2, twice / (long * short), once / long, 1 - short)
  beginPair(state, 0, once / long, 0, 1 - long)
}

/** The strengths of candles after the seeds. */
function strengths(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  long: f64,
  short: f64,
  scale: f64,
  state: Column,
): void {
  if (endsOdd(from, to)) {
    strengths(x, out, from, to - 1, long, short, scale, state)
    from = to - 1
  }
  const longKeep = f64x2.splat(1 - long)
  const longSquare = f64x2.splat((1 - long) * (1 - long))
  const shortKeep = f64x2.splat(1 - short)
  const shortSquare = f64x2.splat((1 - short) * (1 - short))
  const scales = f64x2.splat(scale)
  const least = f64x2.splat(leastSize)
  let changes = state.pair(0)
  let once = state.pair(2)
  let twice = state.pair(4)
  let sizes = state.pair(6)
  let sizesTwice = state.pair(8)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const change = f64x2.sub(x.pair(i), x.pair(i - 1))
    const earlier = delayed(changes, change)
    const sum = decayed(once, change, earlier, longKeep, longSquare)
    const added = f64x2.add(f64x2.abs(change), least)
    const size = decayed(sizes, added, f64x2.abs(earlier), longKeep, longSquare)
    twice = decayed(twice, sum, delayed(once, sum), shortKeep, shortSquare)
    sizesTwice = decayed(sizesTwice, size, delayed(sizes, size), shortKeep, shortSquare)
    out.setPair(i, f64x2.mul(scales, f64x2.div(twice, sizesTwice)))
    changes = change
    once = sum
    sizes = size
  }
  out[to] = after
  endPair(state, 0, changes, from, to)
  endPair(state, 2, once, from, to)
  endPair(state, 4, twice, from, to)
  endPair(state, 6, sizes, from, to)
  endPair(state, 8, sizesTwice, from, to)
}
