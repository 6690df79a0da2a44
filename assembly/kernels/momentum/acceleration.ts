import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Acceleration: x − 2·x[1] + x[2], where [k] is the value k candles before; the change of the change.
 * Source: QuanTAlib Accel.
 */
export function acceleration(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = warmup(out, from, to, 2); i < to; i += 2) {
    const middle = x.pair(i - 1)
    const ends = f64x2.add(x.pair(i), x.pair(i - 2))
    out.setPair(i, f64x2.sub(ends, f64x2.add(middle, middle)))
  }
  out[to] = after
}
