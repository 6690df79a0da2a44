import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import {
  closeWindow,
  isComplete,
  openWindow,
  slideWindow,
  valueAt,
} from '../../parts/windows/order-statistics'

/**
 * Percentile by linear interpolation: the value at position percentage·n/100 + 0.5 of n values in ascending order,
 * counted from 1, interpolated linearly between two. `quantile` uses another position.
 * Source: Pine ta.percentile_linear_interpolation, as PyneCore measured it.
 */
export function percentilelinear(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const place = placeOf(frame.number(1), period)
  const window = frame.state
  openWindow(window, period, from)
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    slideWindow(window, period, x, from, i)
    if (i >= first) out[i] = isComplete(window, period) ? valueAt(window, period, place) : NaN
  }
  closeWindow(window, period, x, to)
}

/** Position of a percentage, counted from 0; a whole number if only rounding separates it from one. */
function placeOf(percentage: f64, period: i32): f64 {
  const place = (percentage * <f64>period) / 100 - 0.5
  const whole = nearest(place)
  const exact = Math.abs(place - whole) <= 1e-9 ? whole : place
  return Math.min(Math.max(exact, 0), <f64>(period - 1))
}
