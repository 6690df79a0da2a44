import { Column } from '../../frame'

/**
 * Writes, for i in [from, to), the maximum distance of a value of x[i − period + 1 … i] below the highest one since the
 * first of them, as a fraction of that highest value; NaN where one of them is not positive. `from ≥ period − 1`.
 * By blocks as the moving extremes: the largest drawdown of a window is that of the suffix of one block, that of the
 * prefix of the next, or the one from the peak of the suffix to the bottom of the prefix. `peaks`, `bottoms` and
 * `falls` are scratch columns.
 */
export function largestDrawdowns(
  x: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  peaks: Column,
  bottoms: Column,
  falls: Column,
): void {
  let i = from
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
