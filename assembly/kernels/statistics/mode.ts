import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { closeWindow, isComplete, openWindow, slideWindow } from '../../parts/windows/order-statistics'

/**
 * Mode: the value that occurs most often among the last `period`; the smallest of several that occur equally often, so
 * the lowest value where all differ.
 * QuanTAlib returns none if all differ.
 * Source: Pine ta.mode, as PyneCore measured it.
 */
export function mode(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)

  const window = frame.state
  openWindow(window, period, from)
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    slideWindow(window, period, x, from, i)
    if (i >= first) out[i] = isComplete(window, period) ? mostFrequent(window, period) : NaN
  }
  closeWindow(window, period, x, to)
}

/** The first of the values that form the longest run. */
function mostFrequent(sorted: Column, period: i32): f64 {
  let best = sorted[0]
  let longest: i32 = 1
  let run: i32 = 1
  for (let k = 1; k < period; k++) {
    run = sorted[k] === sorted[k - 1] ? run + 1 : 1
    if (run > longest) {
      longest = run
      best = sorted[k]
    }
  }
  return best
}
