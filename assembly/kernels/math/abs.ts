import { Frame } from '../../frame'

/**
 * Vector Absolute Value: the size of each value without its sign.
 * Source: Tulip Indicators abs.
 */
export function abs(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.abs(x.pair(i)))
  out[to] = after
}
