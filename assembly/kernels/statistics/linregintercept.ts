import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingLine } from '../../parts/windows/regression'

/**
 * Linear Regression Intercept: the line of least squares through the last `period` values, at the oldest of them. Tulip
 * counts candles from 1, and still returns the line at its first candle.
 * Source: Tulip Indicators linregintercept.
 */
export function linregintercept(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingLine(frame.input(0), 0, out, first, to, period, 1 - <f64>period, frame.scratch(0))
}
