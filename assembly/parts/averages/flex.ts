import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../numbers/overlap'
import { isRounding } from '../numbers/tie'
import { warmup } from '../numbers/warmup'
import { movingSum } from '../windows/sums'
import { Filter, setSuperSmoother } from './recursive-filter'

/**
 * The mean of f + k·slope − f[k] for k = 1 … period, divided by its exponentially weighted root mean square (weight
 * 0.04 on the newest). f is the smoothed input, and slope that of the line to f[period], 0 unless `isTilted`.
 * State: the filter, the mean square, and the last `period` values of f.
 */
export function flex(frame: Frame, from: i32, to: i32, isTilted: bool): void {
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const size = <f64>period
  const filter = Filter.at(state)
  const saved = state.from(Filter.size + 1)
  const smooth = frame.scratch(0).from(period - from)
  const sums = frame.scratch(1).from(-from)
  if (from === 0) setSuperSmoother(filter, size / 2)
  restoreOverlap(smooth, from, period, saved, from === 0)
  filter.run(frame.input(0), smooth, from, to, 2, true)
  let square = from === 0 ? 0 : state[Filter.size]
  const first = warmup(out, from, to, period)
  // The sums end at the previous candle, so the newest value is not among them.
  movingSum(smooth.from(-1), 1, sums, first, to, period, frame.scratch(2))
  for (let i = first; i < to; i++) {
    const newest = smooth[i]
    const slope = isTilted ? (smooth[i - period] - newest) / size : 0
    const exact = newest + (slope * (size + 1)) / 2 - sums[i] / size
    // Rounding of a flat window is not a distance.
    const distance = isRounding(abs(exact), newest) ? 0 : exact
    square = 0.04 * distance * distance + 0.96 * square
    out[i] = square > 0 ? distance / sqrt(square) : 0
  }
  state[Filter.size] = square
  saveOverlap(smooth, to, period, saved)
}
