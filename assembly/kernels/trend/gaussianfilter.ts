import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Gaussian Filter: `poles` equal exponential averages in a row, which together pass cycles longer than `period`
 * candles.
 * Each starts as the first value.
 * Source: Ehlers, Gaussian and Other Low Lag Filters (2001); VectorTA gaussian.
 */
export function gaussianfilter(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const poles = frame.integer(1)
  if (from === 0) {
    const beta = (1 - Math.cos((2 * Math.PI) / <f64>period)) / (2 ** (1 / <f64>poles) - 1)
    state[0] = -beta + sqrt(beta * beta + 2 * beta)
    for (let pole = 1; pole <= 4; pole++) state[pole] = x[0]
  }
  const weight = state[0]
  const keep = 1 - weight
  let first = state[1]
  let second = state[2]
  let third = state[3]
  let fourth = state[4]
  for (let i = from; i < to; i++) {
    first = weight * x[i] + keep * first
    second = weight * first + keep * second
    third = weight * second + keep * third
    fourth = weight * third + keep * fourth
    out[i] = poles === 1 ? first : poles === 2 ? second : poles === 3 ? third : fourth
  }
  state[1] = first
  state[2] = second
  state[3] = third
  state[4] = fourth
  warmup(out, from, to, period - 1)
}
