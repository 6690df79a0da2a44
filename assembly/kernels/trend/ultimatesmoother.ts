import { Frame } from '../../frame'
import { Filter, rootOfTwo } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Ultimate Smoother: the value minus its high-pass filter of two poles, so that longer cycles have no lag. Starts as
 * the value itself.
 * Source: Ehlers, The Ultimate Smoother, Stocks & Commodities (April 2024).
 */
export function ultimatesmoother(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const filter = Filter.at(frame.state)
  if (from === 0) {
    const a = Math.exp((-rootOfTwo * Math.PI) / <f64>period)
    const c2 = 2 * a * Math.cos((rootOfTwo * Math.PI) / <f64>period)
    const c3 = -a * a
    const c1 = (1 + c2 - c3) / 4
    filter.forward(1 - c1, 2 * c1 - c2, -(c1 + c3), 0)
    filter.feedback(c2, c3, 0)
  }
  filter.run(frame.input(0), out, from, to, 3, true)
  warmup(out, from, to, period - 1)
}
