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
 * Quantile: the value at position (n − 1)·quantile of n values in ascending order, counted from 0, interpolated
 * linearly between two.
 * Source: numpy.quantile with its default method; pandas-ta-classic quantile.
 */
export function quantile(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const place = <f64>(period - 1) * frame.number(1)
  const window = frame.state
  openWindow(window, period, from)
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    slideWindow(window, period, x, from, i)
    if (i >= first) out[i] = isComplete(window, period) ? valueAt(window, period, place) : NaN
  }
  closeWindow(window, period, x, to)
}
