import { Frame } from '../../frame'
import { Filter } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Super Smoother of three poles: it passes cycles longer than `period` candles and removes shorter ones more sharply
 * than the filter of two poles.
 * Starts as the value itself.
 * Source: Ehlers, Cybernetic Analysis for Stocks and Futures (2004), chapter 13; VectorTA supersmoother_3_pole.
 */
export function supersmoother3(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const filter = Filter.at(frame.state)
  if (from === 0) {
    const a = Math.exp(-Math.PI / <f64>period)
    const b = 2 * a * Math.cos((1.738 * Math.PI) / <f64>period)
    const d = a * a
    filter.forward(1 - (b + d) + (d + b * d) - d * d, 0, 0, 0)
    filter.feedback(b + d, -(d + b * d), d * d)
  }
  filter.run(frame.input(0), out, from, to, 3, true)
  warmup(out, from, to, period - 1)
}
