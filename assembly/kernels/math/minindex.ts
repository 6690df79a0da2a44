import { Frame } from '../../frame'
import { movingRangePositions } from '../../parts/extremes'
import { warmup } from '../../parts/warmup'

/**
 * Index of the lowest of the last `period` values.
 * Counted from the first candle of the series, which is 0. Of equal values the newest counts; TA-Lib takes the oldest
 * where it looks over the window anew, which depends on where its history begins.
 * Source: TA-Lib 0.6 MININDEX.
 */
export function minindex(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  const behind = frame.scratch(0)
  const behindAt = frame.scratch(1)
  movingRangePositions(x, x, 0, frame.scratch(2), out, first, to, period, behind, behindAt)
}
