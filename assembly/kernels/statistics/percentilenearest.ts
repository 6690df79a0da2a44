import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { closeWindow, isComplete, openWindow, slideWindow } from '../../parts/windows/order-statistics'

/**
 * Percentile by the nearest rank: the k-th smallest of the last `period` values, k being `percentage` percent of their
 * number, rounded up, and at least 1.
 * VectorTA rounds to the nearest whole number instead.
 * Source: Pine ta.percentile_nearest_rank, as PyneCore measured it.
 */
export function percentilenearest(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const rank = Math.ceil((frame.number(1) * <f64>period) / 100)
  const place = min(max(<i32>rank, 1), period) - 1
  const window = frame.state
  openWindow(window, period, from)
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    slideWindow(window, period, x, from, i)
    if (i >= first) out[i] = isComplete(window, period) ? window[place] : NaN
  }
  closeWindow(window, period, x, to)
}
