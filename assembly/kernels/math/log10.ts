import { Frame } from '../../frame'
import { commonLogarithms } from '../../parts/numbers/exact-log'

/**
 * Vector Log10: the logarithm of the value to base 10. No value at 0, where TA-Lib returns infinity, and below.
 * Source: TA-Lib 0.6 LOG10.
 */
export function log10(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, commonLogarithms(x.pair(i)))
  out[to] = after
}
