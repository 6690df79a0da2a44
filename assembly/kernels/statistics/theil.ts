import { Frame } from '../../frame'
import { logarithms } from '../../parts/numbers/fast-log'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Theil Index: the mean of (x/m)·ln(x/m) over the last `period` values, m being their mean: 0 where all are equal.
 * No value where one of them is not positive. Each window is added up anew, because its terms nearly cancel.
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
      const ratio = f64x2.div(x.pair(i - k), mean)
      sum = f64x2.add(sum, f64x2.mul(ratio, logarithms(ratio)))
    }
    out.setPair(i, f64x2.mul(sum, share))
  }
  out[to] = after
}
