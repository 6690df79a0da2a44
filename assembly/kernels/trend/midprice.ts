import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMiddle } from '../../parts/windows/extremes'

/**
 * Midpoint Price over period: the middle between the highest high and the lowest low of `period` candles.
 * Source: TA-Lib 0.6 MIDPRICE.
 */
export function midprice(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingMiddle(frame.input(0), frame.input(1), 0, out, first, to, period, frame.scratch(0))
}
