import { Frame } from '../../frame'
import { Filter, rootOfTwo } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Butterworth Filter of two poles: it passes cycles longer than `period` candles, with the flattest possible response.
 * Starts as the value itself. The inputs are weighted 1, 2, 1 (OoplesFinance leaves the last two out).
 * Source: Ehlers, Cybernetic Analysis for Stocks and Futures (2004), chapter 13.
 */
export function butterworth2(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const filter = Filter.at(frame.state)
  if (from === 0) {
    const a = Math.exp((-rootOfTwo * Math.PI) / <f64>period)
    const b = 2 * a * Math.cos((rootOfTwo * Math.PI) / <f64>period)
    const gain = (1 - b + a * a) / 4
    filter.forward(gain, 2 * gain, gain, 0)
    filter.feedback(b, -a * a, 0)
  }
  filter.run(frame.input(0), out, from, to, 2, true)
  warmup(out, from, to, period - 1)
}
