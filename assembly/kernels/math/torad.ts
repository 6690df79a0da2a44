import { Frame } from '../../frame'

/**
 * Vector Radian Conversion: converts an angle in degrees to radians.
 * Source: Tulip Indicators torad.
 */
export function torad(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const radians = Math.PI / 180
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.mul(x.pair(i), f64x2.splat(radians)))
  out[to] = after
}
