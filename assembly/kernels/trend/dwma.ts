import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingWeightedMean } from '../../parts/windows/weighted-means'

/**
 * Double Weighted Moving Average: the weighted mean (weights 1 … period, newest heaviest) of the weighted mean.
 * Source: QuanTAlib dwma.
 */
export function dwma(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, 2 * (period - 1))
  if (first >= to) return
  const oldest = first - period + 1
  const single = frame.scratch(0).from(-oldest)
  const suffixes = frame.scratch(1)
  movingWeightedMean(frame.input(0), 0, single, oldest, to, period, suffixes)
  movingWeightedMean(single, period - 1, out, first, to, period, suffixes)
}
