import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { extremeAges } from '../../parts/windows/extreme-ages'
import { movingMin } from '../../parts/windows/extremes'

/**
 * Candles since the lowest low of the last `period`, as a number from −(period − 1) to 0.
 * Of equal values the oldest counts; TA-Lib's index names the newest in most cases.
 * Source: Pine ta.lowestbars, as PyneCore has it.
 */
export function lowestbars(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingMin(x, 0, out, first, to, period, frame.scratch(0))
  extremeAges(x, out, first, to, period, -1)
}
