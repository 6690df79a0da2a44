import { Frame } from '../../frame'
import { fitWeights } from '../../parts/windows/polynomial-weights'
import { weightedMean } from '../../parts/windows/weighted-window'

/**
 * Polynomial Regression: where the polynomial of a degree that fits the last `period` values best (least squares) is at the
 * newest candle.
 * A fixed set of weights; degree 1 is the linear regression. A degree of `period` fits like the one below it: exactly.
 * Source: Savitzky and Golay, Analytical Chemistry 36 (1964); QuanTAlib polyfit; numpy.polyfit.
 */
export function polyfit(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const weights = frame.state
  if (from === 0) fitWeights(weights, period, min(frame.integer(1), period - 1), 1)
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, period)
}
