import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import {
  closeWindow,
  isComplete,
  medianOf,
  openWindow,
  slideWindow,
} from '../../parts/windows/order-statistics'

/**
 * Median Absolute Deviation: the median of the distances of the last `period` values from their median.
 * Not multiplied by 1.4826.
 * Source: VectorTA medium_ad; scipy.stats.median_abs_deviation.
 */
export function medianabsdev(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)

  const window = frame.state
  openWindow(window, period, from)
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    slideWindow(window, period, x, from, i)
    if (i >= first) out[i] = isComplete(window, period) ? medianDistance(window, period) : NaN
  }
  closeWindow(window, period, x, to)
}

/**
 * Median of the distances of sorted values from their median. Visits them in ascending order, from the median outwards.
 */
function medianDistance(sorted: Column, period: i32): f64 {
  const centre = medianOf(sorted, period)
  let above = period >> 1
  let below = above - 1
  let last: f64 = 0
  let beforeLast: f64 = 0
  for (let k = 0; k <= period >> 1; k++) {
    const up = above < period ? sorted[above] - centre : Infinity
    const down = below >= 0 ? centre - sorted[below] : Infinity
    beforeLast = last
    last = Math.min(up, down)
    if (up <= down) above++
    else below--
  }
  return (period & 1) === 1 ? last : 0.5 * (beforeLast + last)
}
