import { Frame } from '../../frame'

/**
 * Volume: the traded volume, negative on a black candle, one that closes below its open.
 * Source: the definition; libraries have no such function.
 */
export function volume(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const close = frame.input(1)
  const traded = frame.input(2)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const isRed = f64x2.lt(close.pair(i), open.pair(i))
    const sign = v128.and(isRed, f64x2.splat(-0.0))
    out.setPair(i, v128.xor(traded.pair(i), sign))
  }
  out[to] = after
}
