import { Frame } from '../../frame'
import { exponentials } from '../../parts/numbers/exact-exp'

/**
 * Exponential: e to the power of the value.
 * No value where it is too large for a number (above e to the 709), where TA-Lib gives an infinite one.
 * Source: TA-Lib 0.6 EXP.
 */
export function exp(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, exponentials(x.pair(i)))
  out[to] = after
}
