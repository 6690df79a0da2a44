import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { extremePositions } from '../../parts/windows/extreme-positions'

/**
 * Index of the lowest of the last `period` values.
 * Counted from the first candle of the series, which is 0. Of equal values the newest counts.
 * Source: TA-Lib 0.8.3 MININDEX.
 */
export function minindex(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  extremePositions(x, out, first, to, period, false, from === 0, frame.state, frame.scratch(0))
}
