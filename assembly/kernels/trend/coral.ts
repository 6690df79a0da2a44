import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Coral Trend: six exponential averages in a row, the last four of them combined as in Tillson's T3 with the factor `cd`.
 * Each starts as the first value; the weight is 2 / ((period − 1) / 2 + 2).
 * Source: LazyBear, Coral Trend Indicator (TradingView); deepentropy/lightweight-charts-indicators coral-trend.
 */
export function coral(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const cd = frame.number(1)
  const alpha = 2 / (<f64>(period - 1) / 2 + 2)
  const keep = 1 - alpha
  const square = cd * cd
  const cube = square * cd
  const c4 = 3 * (square + cube)
  const c5 = -3 * (2 * square + cd + cube)
  const c6 = 3 * cd + 1 + cube + 3 * square
  if (from === 0) for (let k = 0; k < 6; k++) state[k] = x[0]
  let s1 = state[0]
  let s2 = state[1]
  let s3 = state[2]
  let s4 = state[3]
  let s5 = state[4]
  let s6 = state[5]
  for (let i = from; i < to; i++) {
    s1 = alpha * x[i] + keep * s1
    s2 = alpha * s1 + keep * s2
    s3 = alpha * s2 + keep * s3
    s4 = alpha * s3 + keep * s4
    s5 = alpha * s4 + keep * s5
    s6 = alpha * s5 + keep * s6
    out[i] = c4 * s5 - cube * s6 + (c5 * s4 + c6 * s3)
  }
  state[0] = s1
  state[1] = s2
  state[2] = s3
  state[3] = s4
  state[4] = s5
  state[5] = s6
  warmup(out, from, to, period - 1)
}
