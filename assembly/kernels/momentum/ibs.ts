import { Frame } from '../../frame'

/**
 * Internal Bar Strength: the position of the close in the range of its candle, 0 at the low, 1 at the high.
 * One half where high and low are equal.
 * Source: Lean InternalBarStrength.
 */
export function ibs(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const range = f64x2.sub(high.pair(i), low.pair(i))
    const share = f64x2.div(f64x2.sub(close.pair(i), low.pair(i)), range)
    out.setPair(i, v128.bitselect(share, f64x2.splat(0.5), f64x2.ne(range, f64x2.splat(0))))
  }
  out[to] = after
}
