import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

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
  const keep = 1 - alpha
  let mean = state[0]
  let i = warmup(out, from, to, seed)
  if (i < to) {
    if (i === seed) {
      mean = x[i]
    } else {
      // The value `lag` candles ago lies one candle before those that a kernel may read whose first value is the seed.
      const before = lag > 0 ? state[1] : x[i]
      mean = mean * keep + (2 * x[i] - before) * alpha
    }
    out[i] = mean
    i++
  }
  for (; i < to; i++) {
    mean = mean * keep + (2 * x[i] - x[i - lag]) * alpha
    out[i] = mean
  }
  state[0] = mean
  state[1] = to > seed && lag > 0 ? x[to - lag] : 0
}
