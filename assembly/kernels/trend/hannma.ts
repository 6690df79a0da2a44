import { Frame } from '../../frame'
import { normalizeWeights, weightedMean } from '../../parts/windows/weighted-window'

/**
 * Hann Window Moving Average: the mean of the last `period` values with the weights 1 − cos(2π·(k + 1) / (period + 1)),
 * a bell that is symmetric about the middle of the window.
 * Source: Ehlers, Windowing, Stocks & Commodities (September 2021); VectorTA ehma.
 */
export function hannma(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const weights = frame.state
  if (from === 0) {
    for (let k = 0; k < period; k++)
      weights[k] = 1 - Math.cos((2 * Math.PI * <f64>(k + 1)) / <f64>(period + 1))
    normalizeWeights(weights, period)
  }
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, period)
}
