import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingRangePositions } from '../../parts/windows/range-positions'

/**
 * Indexes of the lowest and the highest of the last `period` values.
 * Counted from the first candle of the series, which is 0. Of equal values the newest counts.
 * Source: TA-Lib 0.8.3 MINMAXINDEX.
 */
export function minmaxindex(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const lowest = frame.output(0)
  const highest = frame.output(1)
  const period = frame.integer(0)
  const first = warmup(lowest, from, to, period - 1)
  warmup(highest, from, to, period - 1)
  movingRangePositions(x, x, 0, highest, lowest, first, to, period, frame.scratch(0), frame.scratch(1))
}
