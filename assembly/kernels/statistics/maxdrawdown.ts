import { Frame } from '../../frame'
import { warmup } from '../../parts/warmup'

/**
 * Maximum Drawdown: within the last `period` values, the farthest that one lies below the highest since the first of them,
 * as a fraction of that.
 * No value where one of them is not positive.
 * By blocks as the moving extremes: the largest drawdown of a window is that of the suffix of one block, that of the
 * prefix of the next, or the one from the peak of the suffix to the bottom of the prefix.
 * Source: the divisor of Young, Calmar Ratio: A Smoother Tool (1991).
 */
export function maxdrawdown(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const peaks = frame.scratch(0)
  const bottoms = frame.scratch(1)
  const falls = frame.scratch(2)
  let i = warmup(out, from, to, period - 1)
  let block = i - (i % period)
  let oldest = i - period + 1
  while (i < to) {
    let peak: f64 = -Infinity
    let bottom: f64 = Infinity
    let fall: f64 = 0
    peaks[period] = peak
    bottoms[period] = bottom
    falls[period] = fall
    for (let j = block - 1; j >= oldest; j--) {
      const k = j - block + period
      if (bottom < Infinity) fall = Math.max(fall, (x[j] - bottom) / x[j])
      peak = Math.max(peak, x[j])
      bottom = Math.min(bottom, x[j])
      peaks[k] = peak
      bottoms[k] = bottom
      falls[k] = fall
    }
    peak = -Infinity
    bottom = Infinity
    fall = 0
    const end = min(block + period, to)
    for (let j = block; j < end; j++) {
      peak = Math.max(peak, x[j])
      bottom = Math.min(bottom, x[j])
      fall = Math.max(fall, (peak - x[j]) / peak)
      if (j < i) continue
      const k = j - block + 1
      const peakBefore = peaks[k]
      const between = k < period ? (peakBefore - bottom) / peakBefore : 0
      const lowest = Math.min(bottom, bottoms[k])
      out[j] = lowest > 0 ? Math.max(Math.max(fall, falls[k]), between) : NaN
    }
    i = end
    oldest = block + 1
    block += period
  }
}
