import { Frame } from '../../frame'

/**
 * Kalman Filter of a value that wanders: `q` is the variance of a step of the hidden value, `r` that of the measurement.
 * The weight of the newest value soon becomes a constant.
 * Starts as the first value with the variance `r`.
 * Source: Kalman, A New Approach to Linear Filtering and Prediction Problems (1960); QuanTAlib Kalman.
 */
export function kalman(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const q = frame.number(0)
  const r = frame.number(1)
  let mean = from === 0 ? x[0] : state[0]
  let variance = from === 0 ? r : state[1]
  let i = from
  if (i === 0) {
    out[0] = mean
    i = 1
  }
  for (; i < to; i++) {
    const predicted = variance + q
    const gain = predicted / (predicted + r)
    mean += gain * (x[i] - mean)
    variance = (1 - gain) * predicted
    out[i] = mean
  }
  state[0] = mean
  state[1] = variance
}
