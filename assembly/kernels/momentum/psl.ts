import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Psychological Line: the share of rises among the last `period` changes, in percent.
 * Source: pandas-ta-classic psl.
 */
export function psl(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const rises = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i++) rises[i] = x[i] > x[i - 1] ? 1 : 0
  movingSum(rises, 1, out, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) out[i] = (100 * out[i]) / <f64>period
}
