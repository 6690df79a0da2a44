import { Frame } from '../../frame'

/**
 * Moving Average Convergence Divergence: fast minus slow exponential average, its own exponential average (the
 * signal), and the difference of the two.
 * Both averages are seeded at candle slowPeriod − 1 with the mean of their last values there, and all three lines
 * begin together; a slow period below the fast one is swapped with it.
 * Source: TA-Lib 0.6 MACD.
 */
export function macd(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const line = frame.output(0)
  const signalLine = frame.output(1)
  const histogram = frame.output(2)
  const state = frame.state
  const fastPeriod = min(frame.integer(0), frame.integer(1))
  const slowPeriod = max(frame.integer(0), frame.integer(1))
  const signalPeriod = frame.integer(2)
  const fastAlpha = 2 / <f64>(fastPeriod + 1)
  const slowAlpha = 2 / <f64>(slowPeriod + 1)
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
