import { Frame } from '../../frame'
import { normalizeWeights, weightedMean } from '../../parts/windows/weighted-window'

/**
 * Square Weighted Moving Average: the mean of the last `period` values with the weights 1² … period², newest heaviest.
 * The oldest value counts too (VectorTA leaves it out).
 * Source: OoplesFinance.StockIndicators SquareWeightedMovingAverage; VectorTA sqwma.
 */
export function sqwma(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const weights = frame.state
  if (from === 0) {
    for (let k = 0; k < period; k++) weights[k] = <f64>(period - k) * <f64>(period - k)
    normalizeWeights(weights, period)
  }
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, period)
}
