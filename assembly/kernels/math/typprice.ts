import { Frame } from '../../frame'
import { thirds } from '../../parts/thirds'

/**
 * Typical Price: the mean of high, low and close.
 * Source: TA-Lib 0.6 TYPPRICE.
 */
export function typprice(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const sum = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i))
    out.setPair(i, thirds(sum))
  }
  out[to] = after
}
