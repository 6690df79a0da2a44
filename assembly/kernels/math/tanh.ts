import { Frame } from '../../frame'

/**
 * Vector Trigonometric Tanh: the hyperbolic tangent of the value.
 * Source: TA-Lib 0.6 TANH.
 */
export function tanh(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  for (let i = from; i < to; i++) out[i] = Math.tanh(x[i])
}
