import { Frame } from '../../frame'

/**
 * Arc sine: the angle, in radians, whose sine is the value.
 * No value outside of −1 … 1, where no angle has that sine.
 * Source: TA-Lib 0.6 ASIN.
 */
export function asin(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  for (let i = from; i < to; i++) out[i] = Math.asin(x[i])
}
