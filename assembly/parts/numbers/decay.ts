import { Frame } from '../../frame'

/**
 * The higher of the value and the last result after decay: minus 1/period, or times 1 − 1/period if `isExponential`.
 * State: the last result.
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
  // The result stays in a vector: the vector maximum needs no branch, and a candle waits only for its arithmetic.
  let result = f64x2.splat(last)
  if (isExponential) {
    const rests = f64x2.splat(rest)
    for (; i < to; i++) {
      result = f64x2.pmax(f64x2.mul(result, rests), f64x2.splat(x[i]))
      out[i] = f64x2.extract_lane(result, 0)
    }
  } else {
    const steps = f64x2.splat(step)
    for (; i < to; i++) {
      result = f64x2.pmax(f64x2.sub(result, steps), f64x2.splat(x[i]))
      out[i] = f64x2.extract_lane(result, 0)
    }
  }
  state[0] = f64x2.extract_lane(result, 0)
}
