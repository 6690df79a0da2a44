import { Frame } from '../../frame'
import { tangents } from '../../parts/numbers/angles'

/**
 * Vector Trigonometric Tan: the tangent of the value as an angle in radians.
 * Source: TA-Lib 0.6 TAN.
 */
export function tan(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, tangents(x.pair(i)))
  out[to] = after
}
