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
 * Interquartile Range: the quantile of 0.75 minus the quantile of 0.25 of the last `period` values.
 * trading-signals takes the medians of the lower and the upper half instead.
 * Source: QuanTAlib Iqr; scipy.stats.iqr.
 */
export function iqr(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const last = <f64>(period - 1)
  const window = frame.state
  openWindow(window, period, from)
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    slideWindow(window, period, x, from, i)
    if (i >= first)
      out[i] = isComplete(window, period)
        ? valueAt(window, period, 0.75 * last) - valueAt(window, period, 0.25 * last)
        : NaN
  }
  closeWindow(window, period, x, to)
}
