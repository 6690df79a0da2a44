import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMiddle } from '../../parts/windows/extremes'

/**
 * MidPoint over period: the middle between the highest and the lowest of the last `period` values.
 * Source: TA-Lib 0.6 MIDPOINT.
 */
export function midpoint(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingMiddle(x, x, 0, out, first, to, period, frame.scratch(0))
}
