import { Frame } from '../../frame'

/**
 * Cumulative Mean: the mean of all values since the first candle.
 * Source: QuanTAlib Cma.
 */
export function cma(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  let sum = from === 0 ? 0 : frame.state[0]
  for (let i = from; i < to; i++) {
    sum += x[i]
    out[i] = sum / <f64>(i + 1)
  }
  frame.state[0] = sum
}
