import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'
import { normalizeWeights, weightedMean } from '../../parts/windows/weighted-window'

/** Share of the newest weight below which a weight changes no digit of the mean. */
const leastWeight: f64 = 1e-24

/**
 * Nadaraya-Watson Envelope: the mean of the last `lookback` values with the weights of a bell curve whose standard
 * deviation is `bandwidth` candles, newest heaviest, and `multiplier` mean absolute distances of the values from their
 * means above and below it.
 * Computed at the end point, so it never changes afterwards (the other form of the script does). The window is 200
 * candles by default, so that the 500 candles of a request have values; the script's 500 results in the same means.
 * Source: LuxAlgo, Nadaraya-Watson Envelope (TradingView); VectorTA nadaraya_watson_envelope.
 */
export function nadarayawatson(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const state = frame.state
  const bandwidth = frame.number(0)
  const multiplier = frame.number(1)
  const lookback = frame.integer(2)
  const tail = lookback - 2
  const weights = state.from(1)
  const saved = weights.from(lookback)
  if (from === 0) {
    let count = 0
    for (let k = 0; k < lookback; k++) {
      const weight = Math.exp(-(<f64>k * <f64>k) / (2 * bandwidth * bandwidth))
      weights[k] = weight
      if (weight >= leastWeight) count = k + 1
    }
    state[0] = <f64>count
    normalizeWeights(weights, count)
  }
  const distances = frame.scratch(0).from(tail - from)
  restoreOverlap(distances, from, tail, saved, from === 0)
  const start = warmup(middle, from, to, lookback - 1)
  for (let i = from; i < min(to, lookback - 1); i++) distances[i] = 0
  weightedMean(x, lookback - <i32>state[0], middle, start, to, weights, <i32>state[0])
  for (let i = start; i < to; i++) distances[i] = abs(x[i] - middle[i])
  saveOverlap(distances, to, tail, saved)
  const first = warmup(middle, from, to, 2 * lookback - 3)
  warmup(upper, from, to, 2 * lookback - 3)
  warmup(lower, from, to, 2 * lookback - 3)
  movingMean(distances, lookback - 1, upper, first, to, lookback - 1, frame.scratch(1))
  for (let i = first; i < to; i++) {
    const width = multiplier * upper[i]
    upper[i] = middle[i] + width
    lower[i] = middle[i] - width
  }
}
