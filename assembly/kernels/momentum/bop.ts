import { Frame } from '../../frame'

/**
 * Balance of Power: close − open, divided by the range of the candle.
 * 0 where there is no range.
 * Source: Livshin 2001; TA-Lib 0.6 BOP.
 */
export function bop(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const range = f64x2.sub(high.pair(i), low.pair(i))
    const share = f64x2.div(f64x2.sub(close.pair(i), open.pair(i)), range)
    out.setPair(i, v128.and(share, f64x2.gt(range, f64x2.splat(0))))
  }
  out[to] = after
}
