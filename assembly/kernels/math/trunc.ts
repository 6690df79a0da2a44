import { Frame } from '../../frame'

/**
 * Vector Truncate: the value without its decimals.
 * Source: Tulip Indicators trunc.
 */
export function trunc(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, f64x2.trunc(x.pair(i)))
  out[to] = after
}
