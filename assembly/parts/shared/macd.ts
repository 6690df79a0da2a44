import { Column } from '../../frame'
import { decayed, feed } from '../averages/decayed-sums'
import { Segments } from '../averages/segments'

/** Numbers of state of the lines of a MACD. */
export const macdState = 3

/**
 * Moving average convergence divergence of `x`: fast minus slow exponential average, its exponential average (the signal),
 * and the difference of the two. Both averages are seeded at candle slowPeriod − 1 with the mean of their last values there;
 * all lines are NaN before candle slowPeriod + signalPeriod − 2. Demands 2 ≤ fastPeriod ≤ slowPeriod. State: `macdState`
 * numbers (the decayed sums of both averages and the signal; while they are being seeded, the averages).
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
    state[0] = (x[first] - state[0]) / (1 - fastAlpha)
    state[1] = (x[first] - state[1]) / (1 - slowAlpha)
  }
  const second = max(from, first + 1)
  if (second < to) lines(x, line, signalLine, histogram, second, to, fastAlpha, slowAlpha, signalAlpha, state)
}

/** The lines of the candles after the seeds. */
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
  Segments.interleave(min(min(fastAlpha, slowAlpha), signalAlpha), macdState)
  const fastKeep = f64x2.splat(1 - fastAlpha)
  const slowKeep = f64x2.splat(1 - slowAlpha)
  const signalKeep = f64x2.splat(1 - signalAlpha)
  const weight = f64x2.splat(signalAlpha)
  let fast = Segments.number(state, 0)
  let slow = Segments.number(state, 1)
  let signal = Segments.number(state, 2)
  for (let i = from; i < to; i++) {
    const value = Segments.lanes(x.pair(i))
    const change = Segments.lanes(f64x2.sub(x.pair(i), x.pair(i - 1)))
    fast = decayed(fast, change, fastKeep)
    slow = decayed(slow, change, slowKeep)
    // Both averages are rounded like prices, so that they are equal in a flat market.
    const difference = f64x2.sub(
      f64x2.sub(value, f64x2.mul(fast, fastKeep)),
      f64x2.sub(value, f64x2.mul(slow, slowKeep)),
    )
    signal = decayed(signal, f64x2.mul(difference, weight), signalKeep)
    Segments.write(line, i, difference)
    Segments.write(signalLine, i, signal)
    Segments.write(histogram, i, f64x2.sub(difference, signal))
  }
  Segments.setNumber(state, 0, fast)
  Segments.setNumber(state, 1, slow)
  Segments.setNumber(state, 2, signal)
}
