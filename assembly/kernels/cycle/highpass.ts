import { Frame } from '../../frame'
import { Filter, setHighPass } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * High-pass Filter of one pole: what is left of the value without its cycles longer than `period` candles.
 * Starts at 0 (jesse and VectorTA start at the first value). The shortest period is 5, because at 4 the formula divides
 * by cos(π/2), which is 0.
 * Source: Ehlers, Cycle Analytics for Traders (2013), chapter 4.
 */
export function highpass(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const filter = Filter.at(frame.state)
  if (from === 0) setHighPass(filter, period)
  filter.run(frame.input(0), out, from, to, 1, false)
  warmup(out, from, to, period - 1)
}
