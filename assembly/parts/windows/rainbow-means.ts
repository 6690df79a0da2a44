import { Column, Frame } from '../../frame'
import { movingMean } from './sums'

/**
 * The mean number `k` (0 … 9) of a rainbow over input 0, from `first` − (9 − k)·(period − 1) on: the mean of `period` values
 * of the mean before it. Must be called for each k in order, because it reads the previous mean; `first ≥ 10·(period − 1)`.
 * Scratch columns: 0 to 2.
 */
export function rainbowMeans(frame: Frame, first: i32, to: i32, period: i32, k: i32): Column {
  const oldest = first - 9 * (period - 1)
  const start = first - (9 - k) * (period - 1)
  const means = frame.scratch(k & 1).from(-oldest)
  const before = frame.scratch((k + 1) & 1).from(-oldest)
  movingMean(k === 0 ? frame.input(0) : before, k * (period - 1), means, start, to, period, frame.scratch(2))
  return means
}
