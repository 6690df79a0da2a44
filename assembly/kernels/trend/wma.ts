import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingWeightedMean } from '../../parts/windows/weighted-means'

/**
 * Weighted Moving Average: the mean of the last `period` values with the weights 1 … period, newest heaviest.
 * Source: TA-Lib 0.6 WMA.
 */
export function wma(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingWeightedMean(frame.input(0), 0, out, first, to, period, frame.scratch(0))
}
