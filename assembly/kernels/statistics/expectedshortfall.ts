import { Frame } from '../../frame'
import { returnsOf } from '../../parts/numbers/returns'
import { warmup } from '../../parts/numbers/warmup'
import { closeWindow, isComplete, openWindow, slideWindow } from '../../parts/windows/order-statistics'

/**
 * Expected Shortfall, the historical one: the mean of the n lowest of the last `period` returns from candle to candle,
 * where n is (1 − `confidence`)·period, rounded up, at least 1.
 * No value while a value of the window is 0.
 * Source: Acerbi and Tasche, On the Coherence of Expected Shortfall (2002).
 */
export function expectedshortfall(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const window = frame.state
  const period = frame.integer(0)
  const count = countOf((1 - frame.number(1)) * <f64>period)
  const oldest = max(from - period + 1, 1)
  const returns = frame.scratch(0).from(1 - oldest)
  returns[oldest - 1] = NaN
  returnsOf(frame.input(0), returns, oldest, to)
  openWindow(window, period, from)
  const first = warmup(out, from, to, period)
  for (let i = from; i < to; i++) {
    slideWindow(window, period, returns, from, i)
    if (i < first) continue
    let sum: f64 = 0
    for (let k = 0; k < count; k++) sum += window[k]
    out[i] = isComplete(window, period) ? sum / <f64>count : NaN
  }
  closeWindow(window, period, returns, to)
}

/** A number of values, rounded up unless it is whole but for rounding. */
function countOf(share: f64): i32 {
  const whole = nearest(share)
  return max(<i32>(Math.abs(share - whole) <= 1e-9 ? whole : Math.ceil(share)), 1)
}
