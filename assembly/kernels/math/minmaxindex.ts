import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { extremePositions } from '../../parts/windows/extreme-positions'

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
  extremePositions(x, lowest, first, to, period, false, from === 0, frame.state, frame.scratch(0))
  extremePositions(x, highest, first, to, period, true, from === 0, frame.state.from(1), frame.scratch(0))
}
