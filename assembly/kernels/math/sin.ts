import { Frame } from '../../frame'
import { Ratio, sines } from '../../parts/numbers/angles'

/**
 * Vector Trigonometric Sin: the sine of the value as an angle in radians.
 * Source: TA-Lib 0.6 SIN.
 */
export function sin(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, sines(x.pair(i), Ratio.sine))
  out[to] = after
}
