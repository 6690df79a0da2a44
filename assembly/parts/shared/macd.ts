import { Column } from '../../frame'
import { beginDecay, decayed, feed, saveNewest, shifted } from '../averages/decayed-sums'

/** Numbers of state of the lines of a MACD. */
export const macdState = 10

/**
 * Moving average convergence divergence of `x`: fast minus slow exponential average, its exponential average (the signal),
 * and the difference of the two. Both averages are seeded at candle slowPeriod − 1 with the mean of their last values there;
 * all lines are NaN before candle slowPeriod + signalPeriod − 2. Demands 2 ≤ fastPeriod ≤ slowPeriod. State: `macdState`
 * numbers; in pairs the change of x, the decayed sums of both averages, the signal, and the weighted difference.
 */
export function macdLines(
  x: Column,
  line: Column,
  signalLine: Column,
  histogram: Column,
  from: i32,
  to: i32,
  fastPeriod: i32,
  slowPeriod: i32,
  signalPeriod: i32,
  fastAlpha: f64,
  slowAlpha: f64,
  state: Column,
): void {
  const signalAlpha = 2 / <f64>(signalPeriod + 1)
  const first = slowPeriod + signalPeriod - 2
  const averages = state.from(macdState - 3)
  for (let i = from, end = min(to, first + 1); i < end; i++) {
    feed(x[i], i, slowPeriod - fastPeriod, fastPeriod, fastAlpha, averages)
    feed(x[i], i, 0, slowPeriod, slowAlpha, averages.from(1))
    const difference = averages[0] - averages[1]
    feed(difference, i, slowPeriod - 1, signalPeriod, signalAlpha, averages.from(2))
    const hasValue = i === first
    line[i] = hasValue ? difference : NaN
    signalLine[i] = hasValue ? averages[2] : NaN
    histogram[i] = hasValue ? difference - averages[2] : NaN
  }
  if (from <= first && first < to) begin(x[first], fastAlpha, slowAlpha, averages, state)
  const second = max(from, first + 1)
  if (second >= to) return
  const end = second + ((to - second) & ~1)
  if (second < end)
    linesOfPairs(x, line, signalLine, histogram, second, end, fastAlpha, slowAlpha, signalAlpha, state)
  if (end < to)
    linesOfPairs(x, line, signalLine, histogram, end, to, fastAlpha, slowAlpha, signalAlpha, state)
}

/** Writes the state that follows the seeded averages, which are the last of its numbers. */
function begin(value: f64, fastAlpha: f64, slowAlpha: f64, averages: Column, state: Column): void {
  const signal = averages[2]
  const slowSum = (value - averages[1]) / (1 - slowAlpha)
  beginDecay(state.from(2), (value - averages[0]) / (1 - fastAlpha), 0, 1 - fastAlpha)
  beginDecay(state.from(4), slowSum, 0, 1 - slowAlpha)
  state.setPair(0, f64x2.splat(0))
  // The previous signal counts as the weighted difference of its candle: the next signal is then signal·keep plus its own
  // difference.
  state.setPair(6, f64x2.replace_lane(f64x2.splat(0), 1, signal))
  state.setPair(8, f64x2.splat(signal))
}

/** The lines of whole pairs of candles, or of a single candle. */
function linesOfPairs(
  x: Column,
  line: Column,
  signalLine: Column,
  histogram: Column,
  from: i32,
  to: i32,
  fastAlpha: f64,
  slowAlpha: f64,
  signalAlpha: f64,
  state: Column,
): void {
  const isSingle = to - from === 1
  const fastKeep = f64x2.splat(1 - fastAlpha)
  const slowKeep = f64x2.splat(1 - slowAlpha)
  const signalKeep = f64x2.splat(1 - signalAlpha)
  const fastTwice = f64x2.mul(fastKeep, fastKeep)
  const slowTwice = f64x2.mul(slowKeep, slowKeep)
  const signalTwice = f64x2.mul(signalKeep, signalKeep)
  const weight = f64x2.splat(signalAlpha)
  const afterLine = line[to]
  const afterSignal = signalLine[to]
  const afterHistogram = histogram[to]
  let changes = state.pair(0)
  let fast = state.pair(2)
  let slow = state.pair(4)
  let signal = state.pair(6)
  let parts = state.pair(8)
  for (let i = from; i < to; i += 2) {
    const values = x.pair(i)
    const change = f64x2.sub(values, x.pair(i - 1))
    const previous = shifted(changes, change)
    changes = change
    fast = decayed(fast, change, previous, fastKeep, fastTwice)
    slow = decayed(slow, change, previous, slowKeep, slowTwice)
    // Both averages are rounded like prices, so that they are equal in a flat market.
    const difference = f64x2.sub(
      f64x2.sub(values, f64x2.mul(fast, fastKeep)),
      f64x2.sub(values, f64x2.mul(slow, slowKeep)),
    )
    const part = f64x2.mul(difference, weight)
    signal = decayed(signal, part, shifted(parts, part), signalKeep, signalTwice)
    parts = part
    line.setPair(i, difference)
    signalLine.setPair(i, signal)
    histogram.setPair(i, f64x2.sub(difference, signal))
  }
  line[to] = afterLine
  signalLine[to] = afterSignal
  histogram[to] = afterHistogram
  saveNewest(state, changes, isSingle)
  saveNewest(state.from(2), fast, isSingle)
  saveNewest(state.from(4), slow, isSingle)
  saveNewest(state.from(6), signal, isSingle)
  saveNewest(state.from(8), parts, isSingle)
}
