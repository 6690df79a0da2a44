import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'

/**
 * Zero-Lag Exponential Moving Average: the exponential average of the value plus its change over the lag of
 * (period − 1) / 2 candles.
 * Starts as the value at candle lag − 1, as in Tulip; where the lag is 0, as the first value.
 * Source: Ehlers and Way, Zero Lag (2010); Tulip Indicators zlema.
 */
export function zlema(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const lag = (period - 1) >> 1
  const seed = max(lag - 1, 0)
  const alpha = 2 / <f64>(period + 1)
  const values = frame.scratch(0).from(-from)
  let i = max(from, seed)
  if (i < to) {
    // The value `lag` candles ago lies one candle before the oldest one that a kernel may read when its first value is the
    // seed.
    const before = lag > 0 ? state[exponentialState] : x[i]
    values[i] = i === seed ? x[i] : 2 * x[i] - before
    i++
  }
  for (; i < to; i += 2) values.setPair(i, f64x2.sub(f64x2.mul(f64x2.splat(2), x.pair(i)), x.pair(i - lag)))
  exponentialAverage(values, seed, out, from, to, 1, alpha, state)
  state[exponentialState] = to > seed && lag > 0 ? x[to - lag] : 0
}
