import { Frame } from '../../frame'
import { isMove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/**
 * Variable Length Moving Average: an exponential average whose length grows by one candle while the value lies within a
 * quarter of a standard deviation of its mean over `maxPeriod` candles, and shrinks by one while it lies beyond 1.75
 * standard deviations. Starts as the value with the longest length.
 * Source: Arrington, Building a Variable-Length Moving Average, Stocks & Commodities (June 1991); jesse vlma.
 */
export function vlma(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const least = <f64>frame.integer(0)
  const longest = frame.integer(1)
  const first = warmup(out, from, to, longest - 1)
  let mean = from === 0 ? 0 : state[0]
  let length = from === 0 ? <f64>longest : state[1]
  if (first < to) {
    const means = frame.scratch(0).from(-first)
    const spreads = frame.scratch(1).from(-first)
    deviation(x, 0, means, spreads, first, to, longest, frame.scratch(2))
    for (let i = first; i < to; i++) {
      const distance = abs(x[i] - means[i])
      if (i === longest - 1) mean = x[i]
      else {
        const isFar = isMove(distance - 0.25 * spreads[i], x[i])
        const step: f64 = !isFar ? 1 : isMove(distance - 1.75 * spreads[i], x[i]) ? -1 : 0
        length = max(least, min(<f64>longest, length + step))
        mean += (2 / (length + 1)) * (x[i] - mean)
      }
      out[i] = mean
    }
  }
  state[0] = mean
  state[1] = length
}
