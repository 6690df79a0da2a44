import { seed } from '../../average-types/average'
import { Frame } from '../../frame'

/**
 * TRIX: by how many percent the triple exponential average (an average of an average of an average) changed since the
 * candle before.
 * Each average is seeded with the mean of the first `period` values of the one before it; 0 after an average of 0; a
 * period of 1 is the plain change (TA-Lib miscounts there).
 * Source: Hutson, Stocks & Commodities (1983); TA-Lib 0.6 TRIX.
 */
export function trix(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const last = 3 * (period - 1)
  let i = seed(x, 0, out, from, to, period, 3, state)
  if (from <= last && last < to) out[last] = NaN
  const alpha = 2 / <f64>(period + 1)
  const keep = 1 - alpha
  let e1 = state[0]
  let e2 = state[1]
  let e3 = state[2]
  for (; i < to; i++) {
    const before = e3
    e1 = e1 * keep + x[i] * alpha
    e2 = e2 * keep + e1 * alpha
    e3 = e3 * keep + e2 * alpha
    out[i] = before !== 0 ? (e3 / before - 1) * 100 : 0
  }
  state[0] = e1
  state[1] = e2
  state[2] = e3
}
