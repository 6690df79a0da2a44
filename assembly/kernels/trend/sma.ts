import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Simple Moving Average: the mean of the last `period` values.
 * Source: TA-Lib 0.6 SMA.
 */
export function sma(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingMean(frame.input(0), 0, out, first, to, period, frame.scratch(0))
}
