import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax } from '../../parts/windows/extremes'

/**
 * Highest value of the last `period` values, the newest included.
 * Source: TA-Lib 0.6 MAX.
 */
export function max(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingMax(frame.input(0), 0, out, first, to, period, frame.scratch(0))
}
