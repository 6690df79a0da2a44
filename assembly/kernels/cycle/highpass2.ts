import { Frame } from '../../frame'
import { Filter, setSecondHighPass } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * High-pass Filter of two poles: what is left of the value without its cycles longer than `period` candles, which are
 * cut off more sharply than by one pole.
 * Starts at 0.
 * Source: Ehlers, Cycle Analytics for Traders (2013), chapter 4.
 */
export function highpass2(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const filter = Filter.at(frame.state)
  if (from === 0) setSecondHighPass(filter, period, frame.number(1))
  filter.run(frame.input(0), out, from, to, 2, false)
  warmup(out, from, to, period - 1)
}
