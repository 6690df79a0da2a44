import { Frame } from '../../frame'
import { arcsines } from '../../parts/numbers/arcsines'

/**
 * Arc sine: the angle, in radians, whose sine is the value.
 * No value outside of −1 … 1, where no angle has that sine.
 * Source: TA-Lib 0.6 ASIN.
 */
export function asin(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, arcsines(x.pair(i)))
  out[to] = after
}
