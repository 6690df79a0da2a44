import { Frame } from '../../frame'
import { normalizeWeights, weightedMean } from '../../parts/windows/weighted-window'

/**
 * Sine Weighted Moving Average: the mean of the last `period` values with the weights sin((k + 1)·π / (period + 1)), the
 * first half of a sine wave over the window.
 * Source: pandas-ta-classic sinwma.
 */
export function sinwma(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const weights = frame.state
  if (from === 0) {
    for (let k = 0; k < period; k++) weights[k] = Math.sin((<f64>(k + 1) * Math.PI) / <f64>(period + 1))
    normalizeWeights(weights, period)
  }
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, period)
}
