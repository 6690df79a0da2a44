import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Summation: the sum of the last `period` values.
 * Source: TA-Lib 0.6 SUM.
 */
export function sum(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingSum(frame.input(0), 0, out, first, to, period, frame.scratch(0))
}
