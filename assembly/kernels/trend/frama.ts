import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax, movingMin } from '../../parts/windows/extremes'

/**
 * Fractal Adaptive Moving Average: an exponential average of (high + low) / 2 whose weight follows from the fractal
 * dimension of the prices: the ranges of both halves of the window against the range of the whole.
 * An odd period counts as the even number above it; starts as the price before the first value shown. jesse and VectorTA
 * smooth the close and add two more periods.
 * Source: Ehlers, FRAMA (2005); Lean FractalAdaptiveMovingAverage.
 */
export function frama(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const half = (frame.integer(0) + 1) >> 1
  const period = 2 * half
  let mean = state[0]
  let dimension = from === 0 ? 1 : state[1]
  let i = warmup(out, from, to, period)
  if (from < period && to >= period) mean = (high[period - 1] + low[period - 1]) / 2
  if (i < to) {
    const oldest = i - half
    const tops = frame.scratch(0).from(-oldest)
    const bottoms = frame.scratch(1).from(-oldest)
    const suffixes = frame.scratch(2)
    movingMax(high, 0, tops, oldest, to, half, suffixes)
    movingMin(low, 0, bottoms, oldest, to, half, suffixes)
    const size = <f64>half
    for (; i < to; i++) {
      const newest = (tops[i] - bottoms[i]) / size
      const older = (tops[i - half] - bottoms[i - half]) / size
      const all = (max(tops[i], tops[i - half]) - min(bottoms[i], bottoms[i - half])) / (2 * size)
      if (newest > 0 && older > 0 && all > 0)
        dimension = (Math.log(newest + older) - Math.log(all)) / Math.LN2
      const alpha = max(0.01, min(1, Math.exp(-4.6 * (dimension - 1))))
      mean = alpha * ((high[i] + low[i]) / 2) + (1 - alpha) * mean
      out[i] = mean
    }
  }
  state[0] = to >= period ? mean : 0
  state[1] = dimension
}
