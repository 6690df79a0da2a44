import { Frame } from '../../frame'
import { arctangents } from '../../parts/numbers/arctangents'

/**
 * Vector Trigonometric ATan: the angle, in radians, whose tangent is the value.
 * Source: TA-Lib 0.6 ATAN.
 */
export function atan(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, arctangents(x.pair(i)))
  out[to] = after
}
