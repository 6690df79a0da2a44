import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Third Difference: x − 3·x[1] + 3·x[2] − x[3], where [k] is the value k candles before.
 * Source: QuanTAlib Jerk.
 */
export function jerk(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const three = f64x2.splat(3)
  const after = out[to]
  for (let i = warmup(out, from, to, 3); i < to; i += 2) {
    const ends = f64x2.sub(x.pair(i), x.pair(i - 3))
    const middle = f64x2.sub(x.pair(i - 1), x.pair(i - 2))
    out.setPair(i, f64x2.sub(ends, f64x2.mul(three, middle)))
  }
  out[to] = after
}
