import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Lowest and highest of the last `period` values, the newest included.
 * Source: TA-Lib 0.6 MINMAX.
 */
export function minmax(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const lowest = frame.output(0)
  const highest = frame.output(1)
  const period = frame.integer(0)
  const first = warmup(lowest, from, to, period - 1)
  warmup(highest, from, to, period - 1)
  movingRange(x, x, 0, highest, lowest, first, to, period, frame.scratch(0))
}
