import { Frame } from '../../frame'
import { normalizeWeights, weightedMean } from '../../parts/windows/weighted-window'

/**
 * Fibonacci Weighted Moving Average: the mean of the last `period` values with the Fibonacci numbers 1, 1, 2, 3, 5 … as
 * weights, newest heaviest.
 * Source: pandas-ta-classic fwma.
 */
export function fwma(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const weights = frame.state
  if (from === 0) {
    let weight: f64 = 1
    let before: f64 = 0
    for (let k = period - 1; k >= 0; k--) {
      weights[k] = weight
      const next = weight + before
      before = weight
      weight = next
    }
    normalizeWeights(weights, period)
  }
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, period)
}
