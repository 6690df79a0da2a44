import { Frame } from '../../frame'

/**
 * Vector Round: the nearest whole number.
 * A half is rounded up, to the greater neighbour: −2.5 to −2 (others round it away from 0).
 * Source: Tulip Indicators round.
 */
export function round(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, nearest(x.pair(i)))
  out[to] = after
}

function nearest(value: v128): v128 {
  const below = f64x2.floor(value)
  const isUpperHalf = f64x2.ge(f64x2.sub(value, below), f64x2.splat(0.5))
  return f64x2.add(below, v128.and(f64x2.splat(1), isUpperHalf))
}
