import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Harmonic Mean of the last `period` values: their number divided by the sum of their reciprocals.
 * No value where one of them is not positive.
 * Source: QuanTAlib Harmean; scipy hmean.
 */
export function harmean(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const reciprocals = frame.scratch(0).from(-oldest)
  const one = f64x2.splat(1)
  const none = f64x2.splat(NaN)
  for (let i = oldest; i < to; i += 2) {
    const value = x.pair(i)
    const isPositive = f64x2.gt(value, f64x2.splat(0))
    reciprocals.setPair(i, v128.bitselect(f64x2.div(one, value), none, isPositive))
  }
  movingSum(reciprocals, 0, out, first, to, period, frame.scratch(1))
  const size = f64x2.splat(<f64>period)
  const after = out[to]
  for (let i = first; i < to; i += 2) out.setPair(i, f64x2.div(size, out.pair(i)))
  out[to] = after
}
