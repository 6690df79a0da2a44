import { Frame } from '../../frame'

/**
 * Vector Trigonometric Cos: the cosine of the value as an angle in radians.
 * Source: TA-Lib 0.6 COS.
 */
export function cos(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  for (let i = from; i < to; i++) out[i] = Math.cos(x[i])
}
