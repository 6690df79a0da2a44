import { Column, Frame } from '../../frame'
import { isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Relative Strength Xtra: 50·(a / b + 1), where a is the change of the value and b the absolute change, each smoothed by
 * three filters in a row of two exponential averages, p and q, combined as 1.5·p − 0.5·q.
 * The filters start at 0 with the first change; the weight is 3 / (period + 2); 50 where b is no more than rounding of the value, so that
 * a flat market comes to rest (the original script: where b is below 1e-10).
 * Source: Jurik Research, RSX, as in pandas-ta-classic rsx.
 */
export function rsx(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const weight = 3 / <f64>(period + 2)
  if (from === 0) for (let k = 0; k < 12; k++) state[k] = 0
  for (let i = max(from, 1); i < to; i++) {
    let change = x[i] - x[i - 1]
    let size = abs(change)
    for (let stage = 0; stage < 3; stage++) {
      change = smooth(change, weight, state.from(2 * stage))
      size = smooth(size, weight, state.from(6 + 2 * stage))
    }
    out[i] = isRounding(size, x[i]) ? 50 : max(0, min(100, 50 * (change / size + 1)))
  }
  warmup(out, from, to, period)
}

/** One filter of two averages; its state is the two. */
function smooth(value: f64, weight: f64, state: Column): f64 {
  const first = (1 - weight) * state[0] + weight * value
  const second = weight * first + (1 - weight) * state[1]
  state[0] = first
  state[1] = second
  return 1.5 * first - 0.5 * second
}
