import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSlope } from '../../parts/windows/regression'

/**
 * Linear Regression Slope: the slope per candle of the line of least squares through the last `period` values.
 * Source: TA-Lib 0.6 LINEARREG_SLOPE.
 */
export function linearreg_slope(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingSlope(frame.input(0), 0, out, first, to, period, frame.scratch(0))
}
