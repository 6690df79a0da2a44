import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Jurik Moving Average, in the form that was published for TradingView: an exponential average plus the smoothed
 * distance of the value from it, weighted by `phase` (−100 … 100), smoothed a second time. Starts as the first value.
 * Jurik's own formula is not published; the adaptive form of pandas-ta has other values.
 * Source: everget, Jurik Moving Average (TradingView); jesse jma.
 */
export function jma(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const phase = frame.number(1)
  if (from === 0) {
    const size = 0.45 * <f64>(period - 1)
    const beta = size / (size + 2)
    state[0] = beta
    state[1] = beta ** frame.number(2)
    state[2] = x[0]
    state[3] = 0
    state[4] = 0
    state[5] = x[0]
  }
  const beta = state[0]
  const alpha = state[1]
  const ahead = phase < -100 ? 0.5 : phase > 100 ? 2.5 : phase / 100 + 1.5
  const keep = 1 - alpha
  const weight = keep * keep
  const memory = alpha * alpha
  let first = state[2]
  let second = state[3]
  let third = state[4]
  let mean = state[5]
  for (let i = from; i < to; i++) {
    const value = x[i]
    first = keep * value + alpha * first
    second = (value - first) * (1 - beta) + beta * second
    third = (first + ahead * second - mean) * weight + memory * third
    mean += third
    out[i] = mean
  }
  state[2] = first
  state[3] = second
  state[4] = third
  state[5] = mean
  warmup(out, from, to, period - 1)
}
