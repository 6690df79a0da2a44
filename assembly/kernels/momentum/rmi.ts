import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'

/**
 * Relative Momentum Index: the relative strength index of changes over `momentum` candles.
 * Wilder's averages, seeded with means; 50 where nothing moved.
 * Source: Altman, Stocks & Commodities (February 1993); trading-signals RMI.
 */
export function rmi(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const momentum = frame.integer(1)
  const gains = frame.scratch(0).from(-from)
  const losses = frame.scratch(1).from(-from)
  const share = 1 / <f64>period
  for (let i = max(from, momentum); i < to; i++) {
    const change = x[i] - x[i - momentum]
    const size = abs(change)
    gains[i] = (size + change) / 2
    losses[i] = (size - change) / 2
  }
  exponentialAverage(gains, momentum, out, from, to, period, share, frame.state)
  exponentialAverage(losses, momentum, gains, from, to, period, share, frame.state.from(exponentialState))
  for (let i = from; i < to; i++) {
    const total = out[i] + gains[i]
    out[i] = total !== 0 ? 100 * (out[i] / total) : 50
  }
}
