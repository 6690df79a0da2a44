import { Frame } from '../../frame'
import { Filter, setSuperSmoother } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Super Smoother: a filter of two poles that passes cycles longer than `period` candles.
 * Starts as the value itself. The newest value and the one before are averaged first (pandas-ta omits that).
 * Source: Ehlers, Cycle Analytics for Traders (2013), chapter 3.
 */
export function supersmoother(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const filter = Filter.at(frame.state)
  if (from === 0) setSuperSmoother(filter, period)
  filter.run(frame.input(0), out, from, to, 2, true)
  warmup(out, from, to, period - 1)
}
