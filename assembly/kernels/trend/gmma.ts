import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'

/** Candles of the averages: 3, 5, 8, 10, 12, 15 and 30, 35, 40, 45, 50, 60. */
function lengthOf(line: i32): i32 {
  if (line >= 6) return line === 11 ? 60 : 30 + 5 * (line - 6)
  return line === 0 ? 3 : line === 1 ? 5 : line === 2 ? 8 : line === 3 ? 10 : line === 4 ? 12 : 15
}

/**
 * Guppy Multiple Moving Average: exponential averages of 3, 5, 8, 10, 12 and 15 candles (the traders) and of 30, 35, 40,
 * 45, 50 and 60 (the investors).
 * Each is seeded with the mean of its first values; all are given from candle 59 on.
 * Source: Guppy, Trend Trading (2004).
 */
export function gmma(frame: Frame, from: i32, to: i32): void {
  for (let line = 0; line < 12; line++) {
    const out = frame.output(line)
    const length = lengthOf(line)
    const alpha = 2 / <f64>(length + 1)
    exponentialAverage(
      frame.input(0),
      0,
      out,
      from,
      to,
      length,
      alpha,
      frame.state.from(line * exponentialState),
    )
    warmup(out, from, to, 59)
  }
}
