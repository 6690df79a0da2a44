import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import {
  closeWindow,
  isComplete,
  medianOf,
  openWindow,
  slideWindow,
} from '../../parts/windows/order-statistics'

/**
 * Median: the middle of the last `period` values in ascending order, the mean of the two middle ones if `period` is
 * even.
 * Source: pandas-ta-classic median; QuanTAlib Median.
 */
export function median(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)

  const window = frame.state
  openWindow(window, period, from)
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    slideWindow(window, period, x, from, i)
    if (i >= first) out[i] = isComplete(window, period) ? medianOf(window, period) : NaN
  }
  closeWindow(window, period, x, to)
}
