import { Frame } from '../../frame'
import { normalizeWeights, weightedMean } from '../../parts/windows/weighted-window'

/**
 * Arnaud Legoux Moving Average: the mean of the last `period` values with the weights of a bell curve, whose centre is at
 * `offset` of the window (0 the oldest value, 1 the newest) and whose standard deviation is period / sigma candles.
 * The centre is not rounded to a candle (some libraries round it down, one counts it from the newest value).
 * Source: Legoux and Kouzis-Loukas (2009); Skender.Stock.Indicators Alma.
 */
export function alma(frame: Frame, from: i32, to: i32): void {
  const period = frame.integer(0)
  const weights = frame.state
  if (from === 0) {
    const place = <f64>(period - 1) * (1 - frame.number(1))
    const width = <f64>period / frame.number(2)
    for (let k = 0; k < period; k++)
      weights[k] = Math.exp(-((place - <f64>k) * (place - <f64>k)) / (2 * width * width))
    normalizeWeights(weights, period)
  }
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, period)
}
