import { Column } from '../../frame'

/**
 * Moving average convergence divergence of `x`: fast minus slow exponential average, its exponential average (the
 * signal), and the difference of the two. Both averages are seeded at candle slowPeriod − 1 with the mean of their
 * last values there; all lines are NaN before candle slowPeriod + signalPeriod − 2. Demands fastPeriod ≤ slowPeriod.
 * State: three numbers (fast average, slow average, signal; sums while seeding).
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
  const fastKeep = 1 - fastAlpha
  const slowKeep = 1 - slowAlpha
  const signalKeep = 1 - signalAlpha
  const first = slowPeriod + signalPeriod - 2
  const end = min(to, first + 1)
  for (let i = from; i < end; i++) {
    seed(x[i], i, fastPeriod, slowPeriod, signalPeriod, fastAlpha, slowAlpha, state)
    const difference = state[0] - state[1]
    const hasValue = i === first
    line[i] = hasValue ? difference : NaN
    signalLine[i] = hasValue ? state[2] : NaN
    histogram[i] = hasValue ? difference - state[2] : NaN
  }
  let fast = state[0]
  let slow = state[1]
  let signal = state[2]
  for (let i = max(from, first + 1); i < to; i++) {
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

/** Takes the value of candle `i` into the averages up to the candle that seeds the signal. */
function seed(
  value: f64,
  i: i32,
  fastPeriod: i32,
  slowPeriod: i32,
  signalPeriod: i32,
  fastAlpha: f64,
  slowAlpha: f64,
  state: Column,
): void {
  const seeded = slowPeriod - 1
  let fast = i === 0 ? 0 : state[0]
  let slow = i === 0 ? 0 : state[1]
  let signal = i === 0 ? 0 : state[2]
  if (i <= seeded) {
    slow += value
    if (i > seeded - fastPeriod) fast += value
  } else {
    fast = fast * (1 - fastAlpha) + value * fastAlpha
    slow = slow * (1 - slowAlpha) + value * slowAlpha
  }
  if (i === seeded) {
    fast /= <f64>fastPeriod
    slow /= <f64>slowPeriod
  }
  if (i >= seeded) signal += fast - slow
  if (i === seeded + signalPeriod - 1) signal /= <f64>signalPeriod
  state[0] = fast
  state[1] = slow
  state[2] = signal
}
