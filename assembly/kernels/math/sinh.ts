import { Frame } from '../../frame'
import { finite } from '../../parts/numbers/finite'

/**
 * Hyperbolic sine: half of what e to the value is more than e to its negative.
 * No value where it is too large for a number (above e to the 709), where TA-Lib gives an infinite one.
 * Source: TA-Lib 0.6 SINH.
 */
export function sinh(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  for (let i = from; i < to; i++) out[i] = finite(hyperbolic(x[i]))
}

/** From 22 on e to the negative is below the last digit; two roots of e to the value reach as far as the sine does. */
function hyperbolic(x: f64): f64 {
  const size = Math.abs(x)
  if (size < 22) return Math.sinh(x)
  const root = Math.exp(0.5 * size)
  return (x < 0 ? -0.5 : 0.5) * root * root
}
