import { Frame } from '../../frame'
import { movingRangePositions } from '../../parts/extremes'
import { warmup } from '../../parts/warmup'

/**
 * Indexes of the lowest and the highest of the last `period` values.
 * Counted from the first candle of the series, which is 0. Of equal values the newest counts; TA-Lib takes the oldest
 * where it looks over the window anew, which depends on where its history begins.
 * Source: TA-Lib 0.6 MINMAXINDEX.
 */
export function minmaxindex(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const lowestAt = frame.output(0)
  const highestAt = frame.output(1)
  const period = frame.integer(0)
  const first = warmup(lowestAt, from, to, period - 1)
  warmup(highestAt, from, to, period - 1)
  const behind = frame.scratch(0)
  const behindAt = frame.scratch(1)
  movingRangePositions(x, x, 0, highestAt, lowestAt, first, to, period, behind, behindAt)
}
