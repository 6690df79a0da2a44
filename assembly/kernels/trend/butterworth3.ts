import { Frame } from '../../frame'
import { Filter } from '../../parts/averages/recursive-filter'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Butterworth Filter of three poles: it passes cycles longer than `period` candles, with the flattest possible
 * response. Starts as the value itself. The factor 1.738 is that of the book (QuanTAlib uses √3).
 * Source: Ehlers, Cybernetic Analysis for Stocks and Futures (2004), chapter 13.
 */
export function butterworth3(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const filter = Filter.at(frame.state)
  if (from === 0) {
    const a = Math.exp(-Math.PI / <f64>period)
    const b = 2 * a * Math.cos((1.738 * Math.PI) / <f64>period)
    const d = a * a
    const gain = ((1 - b + d) * (1 - d)) / 8
    filter.forward(gain, 3 * gain, 3 * gain, gain)
    filter.feedback(b + d, -(d + b * d), d * d)
  }
  filter.run(frame.input(0), out, from, to, 3, true)
  warmup(out, from, to, period - 1)
}
