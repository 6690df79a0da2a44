import { Frame } from '../../frame'
import { AdaptiveAverage, adaptiveState, Weights } from '../../parts/averages/adaptive-average'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'

/**
 * Variable Index Dynamic Average: an exponential average whose weight is `alpha` times the standard deviation of the
 * last `shortPeriod` values in units of that of the last `longPeriod`.
 * Starts as the value at candle longPeriod − 2; stays unchanged while the long window is flat; the shorter period
 * counts as the short one. Chande's later form, which TA-Lib's development version and most charts have, uses the
 * absolute Chande Momentum Oscillator (CMO) as weight, and never converges to this one.
 * Source: Chande, Adapting Moving Averages to Market Volatility (1992); Tulip Indicators vidya.
 */
export function vidya(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const short = min(frame.integer(0), frame.integer(1))
  const long = max(frame.integer(0), frame.integer(1))
  const alpha = frame.number(2)
  const seed = long - 2
  let first = warmup(out, from, to, seed)
  if (first < to) {
    // The long window begins one candle before the oldest one that a kernel may read when its first value is the seed.
    const oldest = first - long + 1
    const values = frame.scratch(0).from(-oldest)
    if (first === seed) {
      out[seed] = x[seed]
      first++
    } else values[oldest] = state[adaptiveState]
    for (let i = max(oldest + 1, 0); i < to; i++) values[i] = x[i]
    const spreads = frame.scratch(1).from(-first)
    const longSpreads = frame.scratch(2).from(-first)
    const suffixes = frame.scratch(3)
    deviationAlone(values, 0, spreads, first, to, short, suffixes, 1)
    deviationAlone(values, 0, longSpreads, first, to, long, suffixes, 1)
    AdaptiveAverage.write(
      values,
      out,
      first,
      to,
      seed,
      state,
      Weights.quotient,
      spreads,
      longSpreads,
      alpha,
      0,
    )
  }
  state[adaptiveState] = to > seed ? x[to - seed - 1] : 0
}
