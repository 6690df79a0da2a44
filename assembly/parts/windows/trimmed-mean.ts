import { Frame } from '../../frame'
import { warmup } from '../numbers/warmup'
import { closeWindow, isComplete, openWindow, slideWindow } from './order-statistics'

/**
 * The mean of the last `period` values without `percent` per cent of them, rounded down, at either end. With `keepsCount`
 * these are set to the nearest remaining value instead of being left out. State: a sorted window.
 */
export function trimmedMean(frame: Frame, from: i32, to: i32, keepsCount: bool): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const window = frame.state
  const cut = <i32>Math.floor((<f64>period * frame.number(1)) / 100)
  openWindow(window, period, from)
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    slideWindow(window, period, x, from, i)
    if (i < first) continue
    let sum: f64 = 0
    for (let k = cut; k < period - cut; k++) sum += window[k]
    if (keepsCount) sum = (sum + <f64>cut * (window[cut] + window[period - 1 - cut])) / <f64>period
    else sum /= <f64>(period - 2 * cut)
    out[i] = isComplete(window, period) ? sum : NaN
  }
  closeWindow(window, period, x, to)
}
