import { Frame } from '../../frame'

/**
 * Weighted Close Price: the mean of high, low and twice the close.
 * Source: TA-Lib 0.6 WCLPRICE.
 */
export function wclprice(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  let i = from
  for (; i + 1 < to; i += 2) {
    const price = close.pair(i)
    const sum = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), f64x2.add(price, price))
    out.setPair(i, f64x2.mul(sum, f64x2.splat(0.25)))
  }
  if (i < to) out[i] = (high[i] + low[i] + (close[i] + close[i])) * 0.25
}
