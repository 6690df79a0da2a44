import { Column, Frame } from '../../frame'
import { thirds } from '../../parts/numbers/thirds'

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
  let i = from
  // Four vectors per iteration, because the operations of one vector wait for each other.
  for (; i + 8 <= to; i += 8) {
    out.setPair(i, thirds(sums(high, low, close, i)))
    out.setPair(i + 2, thirds(sums(high, low, close, i + 2)))
    out.setPair(i + 4, thirds(sums(high, low, close, i + 4)))
    out.setPair(i + 6, thirds(sums(high, low, close, i + 6)))
  }
  for (; i < to; i += 2) out.setPair(i, thirds(sums(high, low, close, i)))
  out[to] = after
}

function sums(high: Column, low: Column, close: Column, i: i32): v128 {
  return f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i))
}
