import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/exponential'
import { stochastic } from '../../parts/stochastic'
import { warmup } from '../../parts/warmup'

/**
 * KDJ: K is the stochastic of `kPeriod` candles smoothed with weight 1/kSmooth, D is K smoothed with weight 1/signal,
 * J = 3·K − 2·D. `period` is the default of `kPeriod`, `signal` that of `kSmooth`.
 * `dPeriod` is a name of the interface without influence: D has no window of its own, it follows from K.
 * Smoothings are seeded with the mean of their first values (others start at 50); J is not clamped; a range of zero
 * counts as 0. D and J begin `signal` − 1 candles after K.
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
  const kSmooth = frame.integer(4)
  const raw = frame.scratch(0).from(-from)
  const suffixes = frame.scratch(1)
  const kStart = kPeriod + kSmooth - 2
  stochastic(high, low, close, 0, raw, max(from, kPeriod - 1), to, kPeriod, j, suffixes)
  exponentialAverage(raw, kPeriod - 1, k, from, to, kSmooth, 1 / <f64>kSmooth, state)
  exponentialAverage(k, kStart, d, from, to, signal, 1 / <f64>signal, state.from(1))
  for (let i = warmup(j, from, to, kStart + signal - 1); i < to; i++) j[i] = 3 * k[i] - 2 * d[i]
}
