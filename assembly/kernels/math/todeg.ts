import { Frame } from '../../frame'

/**
 * Vector Degree Conversion: converts an angle in radians to degrees.
 * Source: Tulip Indicators todeg.
 */
export function todeg(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const degrees = 180 / Math.PI
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.mul(x.pair(i), f64x2.splat(degrees)))
  out[to] = after
}
