import { Column } from '../../frame'
import { beginPair, clearFirst, decayed, delayed, endPair, endsOdd, feed } from '../averages/decayed-sums'

/** Numbers of state of the lines of a MACD. */
export const macdState = 10

/**
 * Moving average convergence divergence of `x`: fast minus slow exponential average, its exponential average (the signal),
 * and the difference of the two. Both averages are seeded at candle slowPeriod − 1 with the mean of their last values there;
 * all lines are NaN before candle slowPeriod + signalPeriod − 2. Demands 2 ≤ fastPeriod ≤ slowPeriod. State: `macdState`
 * numbers (the pairs of changes, of the decayed sums of both averages, of weighted differences and of signals; while they are being seeded, the
 * averages).
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
  clearFirst(from, state, macdState)
  const signalAlpha = 2 / <f64>(signalPeriod + 1)
  const first = slowPeriod + signalPeriod - 2
  for (let i = from, end = min(to, first + 1); i < end; i++) {
    feed(x[i], i, slowPeriod - fastPeriod, fastPeriod, fastAlpha, state)
    feed(x[i], i, 0, slowPeriod, slowAlpha, state.from(1))
    const difference = state[0] - state[1]
    feed(difference, i, slowPeriod - 1, signalPeriod, signalAlpha, state.from(2))
    const hasValue = i === first
    line[i] = hasValue ? difference : NaN
    signalLine[i] = hasValue ? state[2] : NaN
    histogram[i] = hasValue ? difference - state[2] : NaN
  }
  if (from <= first && first < to) {
    beginPair(state, 8, state[2], 0, 1 - signalAlpha)
    beginPair(state, 6, 0, 0, 1)
    beginPair(state, 4, (x[first] - state[1]) / (1 - slowAlpha), 0, 1 - slowAlpha)
    beginPair(state, 2, (x[first] - state[0]) / (1 - fastAlpha), 0, 1 - fastAlpha)
    beginPair(state, 0, 0, 0, 1)
  }
  const second = max(from, first + 1)
  if (second < to) lines(x, line, signalLine, histogram, second, to, fastAlpha, slowAlpha, signalAlpha, state)
}

/** The lines of the candles after the seeds. Both averages are rounded like prices, so that they are equal in a flat market. */
function lines(
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
  if (endsOdd(from, to)) {
    lines(x, line, signalLine, histogram, from, to - 1, fastAlpha, slowAlpha, signalAlpha, state)
    from = to - 1
  }
  const fastKeep = f64x2.splat(1 - fastAlpha)
  const fastSquare = f64x2.splat((1 - fastAlpha) * (1 - fastAlpha))
  const slowKeep = f64x2.splat(1 - slowAlpha)
  const slowSquare = f64x2.splat((1 - slowAlpha) * (1 - slowAlpha))
  const weight = f64x2.splat(signalAlpha)
  const keep = f64x2.splat(1 - signalAlpha)
  const square = f64x2.splat((1 - signalAlpha) * (1 - signalAlpha))
  let changes = state.pair(0)
  let fast = state.pair(2)
  let slow = state.pair(4)
  let parts = state.pair(6)
  let signals = state.pair(8)
  const lineAfter = line[to]
  const signalAfter = signalLine[to]
  const histogramAfter = histogram[to]
  for (let i = from; i < to; i += 2) {
    const values = x.pair(i)
    const change = f64x2.sub(values, x.pair(i - 1))
    const earlier = delayed(changes, change)
    fast = decayed(fast, change, earlier, fastKeep, fastSquare)
    slow = decayed(slow, change, earlier, slowKeep, slowSquare)
    const fastMean = f64x2.sub(values, f64x2.mul(fast, fastKeep))
    const slowMean = f64x2.sub(values, f64x2.mul(slow, slowKeep))
    const difference = f64x2.sub(fastMean, slowMean)
    const part = f64x2.mul(difference, weight)
    signals = decayed(signals, part, delayed(parts, part), keep, square)
    line.setPair(i, difference)
    signalLine.setPair(i, signals)
    histogram.setPair(i, f64x2.sub(difference, signals))
    changes = change
    parts = part
  }
  line[to] = lineAfter
  signalLine[to] = signalAfter
  histogram[to] = histogramAfter
  endPair(state, 0, changes, from, to)
  endPair(state, 2, fast, from, to)
  endPair(state, 4, slow, from, to)
  endPair(state, 6, parts, from, to)
  endPair(state, 8, signals, from, to)
}
