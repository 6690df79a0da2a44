import { Frame } from '../../frame'
import { normalizeWeights, weightedMean } from '../../parts/windows/weighted-window'

/**
 * Henderson Moving Average: the mean of an odd number of values with Henderson's weights, which keep cubic trends unchanged
 * and make the third differences as smooth as can be.
 * An even period counts as the odd number below it; the newest candles are the window, so the line lags by half of it.
 * Source: Kenny and Durbin, Local Trend Estimation (1982), formula of Henderson's weights; QuanTAlib hend.
 */
export function henderson(frame: Frame, from: i32, to: i32): void {
  const half = (frame.integer(0) - 1) >> 1
  const count = 2 * half + 1
  const weights = frame.state
  if (from === 0) {
    const size = <f64>(half + 2)
    const square = size * size
    const below = (size - 1) * (size - 1)
    const above = (size + 1) * (size + 1)
    for (let k = 0; k < count; k++) {
      const place = <f64>((k - half) * (k - half))
      weights[k] = (below - place) * (square - place) * (above - place) * (3 * square - 16 - 11 * place)
    }
    normalizeWeights(weights, count)
  }
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, count)
}
