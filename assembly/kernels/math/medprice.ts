import { Frame } from '../../frame'

/**
 * Median Price: the middle between high and low.
 * Source: TA-Lib 0.6 MEDPRICE.
 */
export function medprice(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    out.setPair(i, f64x2.mul(f64x2.add(high.pair(i), low.pair(i)), f64x2.splat(0.5)))
  }
  out[to] = after
}
