import { Frame } from '../../frame'

/**
 * Average Price: the mean of open, high, low and close.
 * Source: TA-Lib 0.6 AVGPRICE.
 */
export function avgprice(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const range = f64x2.add(high.pair(i), low.pair(i))
    const body = f64x2.add(close.pair(i), open.pair(i))
    out.setPair(i, f64x2.mul(f64x2.add(range, body), f64x2.splat(0.25)))
  }
  out[to] = after
}
