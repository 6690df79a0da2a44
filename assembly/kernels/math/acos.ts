import { Frame } from '../../frame'
import { arccosines } from '../../parts/numbers/arcsines'

/**
 * Arc cosine: the angle, in radians, whose cosine is the value.
 * No value outside of −1 … 1, where no angle has that cosine.
 * Source: TA-Lib 0.6 ACOS.
 */
export function acos(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, arccosines(x.pair(i)))
  out[to] = after
}
