import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/exponential'
import { stochastic } from '../../parts/stochastic'

/**
 * KDJ: K is the stochastic of `kPeriod` candles smoothed with weight 1/kSmooth, D is K (with the window `dPeriod`)
 * smoothed with weight 1/signal, J = 3·K − 2·D.
 * Smoothings are seeded with the mean of their first values (others start at 50); J is not clamped; a range of zero
 * counts as 0.
 * Source: TA-Lib development KDJ with RMA.
 */
export function kdj(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const k = frame.output(0)
  const d = frame.output(1)
  const j = frame.output(2)
  const state = frame.state
  const signal = frame.integer(1)
  const kPeriod = frame.integer(2)
  const dPeriod = frame.integer(3)
  const kSmooth = frame.integer(4)
  const raw = frame.scratch(0).from(-from)
  const suffixes = frame.scratch(1)
  const kAlpha = 1 / <f64>kSmooth
  stochastic(high, low, close, 0, raw, max(from, kPeriod - 1), to, kPeriod, j, suffixes)
  exponentialAverage(raw, kPeriod - 1, k, from, to, kSmooth, kAlpha, state)
  let slow = k
  if (dPeriod !== kPeriod) {
    stochastic(high, low, close, 0, raw, max(from, dPeriod - 1), to, dPeriod, j, suffixes)
    exponentialAverage(raw, dPeriod - 1, raw, from, to, kSmooth, kAlpha, state.from(2))
    slow = raw
  }
  exponentialAverage(slow, dPeriod + kSmooth - 2, d, from, to, signal, 1 / <f64>signal, state.from(1))
  const lookback = max(kPeriod, dPeriod + signal - 1) + kSmooth - 2
  let i = from
  for (const end = min(to, lookback); i < end; i++) {
    k[i] = NaN
    d[i] = NaN
    j[i] = NaN
  }
  for (; i < to; i++) j[i] = 3 * k[i] - 2 * d[i]
}
