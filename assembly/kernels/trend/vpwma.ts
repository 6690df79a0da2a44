import { Frame } from '../../frame'
import { normalizeWeights, weightedMean } from '../../parts/windows/weighted-window'

/**
 * Variable Power Weighted Moving Average: the mean of the last `period` values with the weights 1 … period, each raised
 * to `power`, newest heaviest.
 * The oldest value counts too (jesse and VectorTA leave it out); volume has no effect.
 * Source: jesse vpwma.
 */
export function vpwma(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const weights = frame.state
  if (from === 0) {
    const power = frame.number(1)
    for (let k = 0; k < period; k++) {
      const place = <f64>(period - k)
      weights[k] = place ** power
    }
    normalizeWeights(weights, period)
  }
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, period)
}
