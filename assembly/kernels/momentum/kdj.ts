import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'
import { stochastic } from '../../parts/shared/stochastic'

/**
 * KDJ: K is the stochastic of `kPeriod` candles smoothed with weight 1/kSmooth, D is K smoothed with weight 1/dPeriod,
 * J = 3·K − 2·D. `period` is the default of `kPeriod`, `signal` that of `kSmooth`.
 * The default of `dPeriod` is `period` as well. With that value D is smoothed with weight 1/signal, as usual. If
 * `dPeriod` is given as that value without `signal`, the interface sets `signal` to it.
 * Smoothings are seeded with the mean of their first values (others start at 50); J is not clamped; a range of zero
 * counts as 0. If D is smoothed over n candles, D and J begin n − 1 candles after K.
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
  const kPeriod = frame.integer(2)
  const dPeriod = frame.integer(3)
  const kSmooth = frame.integer(4)
  const dSmooth = dPeriod === frame.integer(0) ? frame.integer(1) : dPeriod
  const raw = frame.scratch(0).from(-from)
  const suffixes = frame.scratch(1)
  const kStart = kPeriod + kSmooth - 2
  stochastic(high, low, close, 0, raw, max(from, kPeriod - 1), to, kPeriod, j, suffixes)
  exponentialAverage(raw, kPeriod - 1, k, from, to, kSmooth, 1 / <f64>kSmooth, state)
  exponentialAverage(k, kStart, d, from, to, dSmooth, 1 / <f64>dSmooth, state.from(exponentialState))
  for (let i = warmup(j, from, to, kStart + dSmooth - 1); i < to; i++) j[i] = 3 * k[i] - 2 * d[i]
}
