import { Frame } from '../../frame'
import { normalizeWeights, weightedMean } from '../../parts/windows/weighted-window'

/**
 * Pascal Weighted Moving Average: the mean of the last `period` values with the binomial coefficients of the row
 * period − 1 of Pascal's triangle as weights.
 * Source: pandas-ta-classic pwma.
 */
export function pwma(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const weights = frame.state
  if (from === 0) {
    let weight: f64 = 1
    for (let k = 0; k < period; k++) {
      weights[k] = weight
      weight = (weight * <f64>(period - 1 - k)) / <f64>(k + 1)
    }
    normalizeWeights(weights, period)
  }
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, period)
}
