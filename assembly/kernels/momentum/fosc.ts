import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { forecastErrors } from '../../parts/windows/regression'

/**
 * Forecast Oscillator: the value minus the forecast of the regression line through the previous `period` values, in
 * percent of the value. The forecast excludes the value itself (others include it). No value where the price is 0.
 * Source: Chande and Kroll, The New Technical Trader (1994); Tulip fosc.
 */
export function fosc(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  forecastErrors(x.from(-1), 1, out, first, to, period, frame.scratch(0))
}
