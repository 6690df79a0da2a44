import { Frame } from '../../frame'

/**
 * Vector Trigonometric ATan: the angle, in radians, whose tangent is the value.
 * Source: TA-Lib 0.6 ATAN.
 */
export function atan(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  for (let i = from; i < to; i++) out[i] = Math.atan(x[i])
}
