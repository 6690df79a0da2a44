import { Frame } from '../../frame'
import { logarithms } from '../../parts/numbers/fast-log'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Geometric Mean of the last `period` values: e to the power of the mean of their natural logarithms.
 * No value where one of them is not positive.
 * Source: QuanTAlib Geomean; scipy gmean.
 */
export function geomean(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const logs = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i += 2) logs.setPair(i, logarithms(x.pair(i)))
  movingMean(logs, 0, out, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) out[i] = Math.exp(out[i])
}
