import { Frame } from '../../frame'
import { hyperbolicCosines } from '../../parts/numbers/exact-exp'

/**
 * Hyperbolic cosine: the mean of e to the value and e to its negative.
 * No value where it is too large for a number (inputs above 709), where TA-Lib returns infinity.
 * Source: TA-Lib 0.6 COSH.
 */
export function cosh(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, hyperbolicCosines(x.pair(i)))
  out[to] = after
}
