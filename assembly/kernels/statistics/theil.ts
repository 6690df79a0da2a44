import { Frame } from '../../frame'
import { logarithms } from '../../parts/numbers/fast-log'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Theil Index: the mean of (x/m)·ln(x/m) over the last `period` values, m being their mean: 0 where all are equal.
 * No value where one of them is not positive. These terms nearly cancel, so the sum is that of (1 + d)·ln(1 + d) − d
 * with d = (x − m)/m: the d sum to 0, and each such term is positive.
 * Source: Theil, Economics and Information Theory (1967); QuanTAlib Theil.
 */
export function theil(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const share = f64x2.splat(1 / <f64>period)
  const first = warmup(out, from, to, period - 1)
  movingMean(x, 0, out, first, to, period, frame.scratch(0))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const mean = out.pair(i)
    let sum = f64x2.splat(0)
    for (let k = period - 1; k >= 0; k--) {
      const value = x.pair(i - k)
      const inequality = term(f64x2.div(f64x2.sub(value, mean), mean))
      const isPositive = f64x2.gt(value, f64x2.splat(0))
      sum = f64x2.add(sum, v128.bitselect(inequality, f64x2.splat(NaN), isPositive))
    }
    out.setPair(i, f64x2.mul(sum, share))
  }
  out[to] = after
}

/** Largest |d| for which the series is exact to the last digit. */
const smallest: f64 = 0.03125

/** (1 + d)·ln(1 + d) − d in both lanes; for small d by its series Σ (−d)ᵏ / (k·(k − 1)) from k = 2 on. */
function term(d: v128): v128 {
  const ratio = f64x2.add(d, f64x2.splat(1))
  const direct = f64x2.sub(f64x2.mul(ratio, logarithms(ratio)), d)
  const negative = f64x2.neg(d)
  let series = f64x2.splat(0)
  for (let k = 12; k >= 2; k--) {
    series = f64x2.add(f64x2.mul(series, negative), f64x2.splat(1 / <f64>(k * (k - 1))))
  }
  series = f64x2.mul(series, f64x2.mul(d, d))
  return v128.bitselect(series, direct, f64x2.lt(f64x2.abs(d), f64x2.splat(smallest)))
}
