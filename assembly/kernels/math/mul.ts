import { Frame } from '../../frame'

/**
 * Vector Multiplication: the product of two values.
 * The values are high and low by default.
 * Source: Tulip Indicators mul.
 */
export function mul(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const y = frame.input(1)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.mul(x.pair(i), y.pair(i)))
  out[to] = after
}
