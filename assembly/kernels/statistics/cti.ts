import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { trendCorrelation } from '../../parts/windows/trend-correlation'

/**
 * Correlation Trend Indicator: Pearson's correlation of the last `period` values with time, from −1 to 1.
 * 0 where all values are equal.
 * Source: Ehlers, Correlation as a Trend Indicator (2020); TA-Lib 0.8.3 CTI.
 */
export function cti(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  trendCorrelation(frame.input(0), out, first, to, period, frame.scratch(0), frame.scratch(1))
}
