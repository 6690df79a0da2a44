import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Holt Exponential Moving Average: a smoothed level and its smoothed slope, together.
 * Starts as the first value with slope 0. The weight of the level is 2 / (period + 1); a `gamma` of 0 gives the slope the
 * same weight.
 * Source: Holt, Forecasting Seasonals and Trends (1957); QuanTAlib holt.
 */
export function holt(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const alpha = 2 / <f64>(period + 1)
  const gamma = frame.number(1) > 0 ? frame.number(1) : alpha
  let level = from === 0 ? x[0] : state[0]
  let slope = from === 0 ? 0 : state[1]
  for (let i = from; i < to; i++) {
    const next = alpha * x[i] + (1 - alpha) * (level + slope)
    slope = gamma * (next - level) + (1 - gamma) * slope
    level = next
    out[i] = level + slope
  }
  state[0] = level
  state[1] = slope
  warmup(out, from, to, period - 1)
}
