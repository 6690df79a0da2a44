import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Pain Index: the mean distance of the last `period` values below the highest since the first of them, as a fraction of
 * that highest value.
 * No value where one of them is not positive.
 * Source: Zephyr Associates, Pain Index and Pain Ratio (2006).
 */
export function painindex(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const zero = f64x2.splat(0)
  const share = f64x2.splat(1 / <f64>period)
  const after = out[to]
  for (let i = warmup(out, from, to, period - 1); i < to; i += 2) {
    let peak = zero
    let lowest = f64x2.splat(Infinity)
    let sum = zero
    for (let k = period - 1; k >= 0; k--) {
      const value = x.pair(i - k)
      // Neither extreme checks for missing values, because the sum does.
      peak = f64x2.pmax(peak, value)
      lowest = f64x2.pmin(lowest, value)
      sum = f64x2.add(sum, f64x2.div(f64x2.sub(peak, value), peak))
    }
    out.setPair(i, v128.bitselect(f64x2.mul(sum, share), f64x2.splat(NaN), f64x2.gt(lowest, zero)))
  }
  out[to] = after
}
