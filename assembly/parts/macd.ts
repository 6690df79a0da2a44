import { Column } from '../frame'

/**
 * Moving average convergence divergence of `x`: fast minus slow exponential average, its exponential average (the
 * signal), and the difference of the two. Both averages are seeded at candle slowPeriod − 1 with the mean of their
 * last values there; all lines are NaN before candle slowPeriod + signalPeriod − 2. Demands fastPeriod ≤ slowPeriod.
 * State: three numbers (fast average, slow average, signal; sums while seeding).
 */
export function convergence(
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
  const fastKeep = 1 - fastAlpha
  const slowKeep = 1 - slowAlpha
  const signalKeep = 1 - signalAlpha
  const seeded = slowPeriod - 1
  const first = seeded + signalPeriod - 1
  let fast = from === 0 ? 0 : state[0]
  let slow = from === 0 ? 0 : state[1]
  let signal = from === 0 ? 0 : state[2]
  let i = from
  for (const end = min(to, first + 1); i < end; i++) {
    if (i <= seeded) {
      slow += x[i]
      if (i > seeded - fastPeriod) fast += x[i]
    } else {
      fast = fast * fastKeep + x[i] * fastAlpha
      slow = slow * slowKeep + x[i] * slowAlpha
    }
    if (i === seeded) {
      fast /= <f64>fastPeriod
      slow /= <f64>slowPeriod
    }
    if (i >= seeded) signal += fast - slow
    if (i < first) {
      line[i] = NaN
      signalLine[i] = NaN
      histogram[i] = NaN
    } else {
      signal /= <f64>signalPeriod
      const difference = fast - slow
      line[i] = difference
      signalLine[i] = signal
      histogram[i] = difference - signal
    }
  }
  for (; i < to; i++) {
    const value = x[i]
    fast = fast * fastKeep + value * fastAlpha
    slow = slow * slowKeep + value * slowAlpha
    const difference = fast - slow
    signal = signal * signalKeep + difference * signalAlpha
    line[i] = difference
    signalLine[i] = signal
    histogram[i] = difference - signal
  }
  state[0] = fast
  state[1] = slow
  state[2] = signal
}
