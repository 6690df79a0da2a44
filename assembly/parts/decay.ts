import { Frame } from '../frame'

/**
 * The higher of the value and the last result after it has decayed: less 1/period, or times 1 − 1/period if
 * `isExponential`. State: the last result.
 */
export function decays(frame: Frame, from: i32, to: i32, isExponential: bool): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const step = 1 / <f64>frame.integer(0)
  const rest = 1 - step
  let i = from
  let last = state[0]
  if (i === 0 && i < to) {
    last = x[0]
    out[0] = last
    i = 1
  }
  for (; i < to; i++) {
    const decayed = isExponential ? last * rest : last - step
    last = f64x2.extract_lane(f64x2.pmax(f64x2.splat(decayed), f64x2.splat(x[i])), 0)
    out[i] = last
  }
  state[0] = last
}
