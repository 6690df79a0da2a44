import { Frame } from '../../frame'

/**
 * Exponential decay: the value, or what is left of the decay before where that is more: it loses 1 / `period` of itself a
 * candle.
 * Source: Tulip Indicators edecay.
 */
export function edecay(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const rest = 1 - 1 / <f64>frame.integer(0)
  let i = from
  let last = state[0]
  if (i === 0 && i < to) {
    last = x[0]
    out[0] = last
    i = 1
  }
  for (; i < to; i++) {
    last = f64x2.extract_lane(f64x2.pmax(f64x2.splat(last * rest), f64x2.splat(x[i])), 0)
    out[i] = last
  }
  state[0] = last
}
