import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { isRounding } from '../../parts/numbers/tie'

/**
 * Directional Trend Index: the rises of the high minus the falls of the low, smoothed exponentially three times over r,
 * s and u candles, in percent of their absolute values, smoothed likewise.
 * Every average is seeded with a mean (VectorTA starts at 0). 0 where nothing moved.
 * Source: Blau, Momentum, Direction and Divergence (1995).
 */
export function dti(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const sizes = frame.scratch(0).from(-from)
  for (let i = max(from, 1); i < to; i++) {
    const move = max(high[i] - high[i - 1], 0) - max(low[i - 1] - low[i], 0)
    // If the high rises by as much as the low falls, only rounding remains.
    out[i] = isRounding(abs(move), high[i]) ? 0 : move
    sizes[i] = abs(out[i])
  }
  let start = 1
  for (let k = 0; k < 3; k++) {
    const period = frame.integer(k)
    exponentialAverage(
      out,
      start,
      out,
      from,
      to,
      period,
      weightOf(period),
      frame.state.from(k * exponentialState),
    )
    exponentialAverage(
      sizes,
      start,
      sizes,
      from,
      to,
      period,
      weightOf(period),
      frame.state.from((3 + k) * exponentialState),
    )
    start += period - 1
  }
  for (let i = from; i < to; i++) out[i] = sizes[i] !== 0 ? 100 * (out[i] / sizes[i]) : 0
}
