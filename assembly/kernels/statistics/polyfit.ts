import { Frame } from '../../frame'
import { fitWeights } from '../../parts/windows/polynomial-weights'
import { weightedMean } from '../../parts/windows/weighted-window'

/**
 * Polynomial Regression: the value, at the newest candle, of the polynomial of the given degree that fits the last
 * `period` values best (least squares). The weights are fixed; degree 1 is the linear regression. Degrees `period` − 1
 * and above fit exactly.
 * Source: Savitzky and Golay, Analytical Chemistry 36 (1964); QuanTAlib polyfit; numpy.polyfit.
 */
export function polyfit(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const weights = frame.state
  if (from === 0) fitWeights(weights, period, min(frame.integer(1), period - 1), 1)
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, period)
}
