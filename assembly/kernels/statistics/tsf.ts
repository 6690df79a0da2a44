import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingLine } from '../../parts/windows/regression'

/**
 * Time Series Forecast: the line of least squares through the last `period` values, one candle ahead.
 * Source: TA-Lib 0.6 TSF.
 */
export function tsf(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingLine(frame.input(0), 0, out, first, to, period, 1, frame.scratch(0))
}
