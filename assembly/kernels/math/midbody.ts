import { Frame } from '../../frame'

/**
 * Middle of the body: the mean of open and close.
 * Source: QuanTAlib Midbody.
 */
export function midbody(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const close = frame.input(1)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2)
    out.setPair(i, f64x2.mul(f64x2.add(open.pair(i), close.pair(i)), f64x2.splat(0.5)))
  out[to] = after
}
