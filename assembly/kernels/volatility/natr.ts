import { Frame } from '../../frame'
import { averageTrueRange, trueRange } from '../../parts/candles/true-range'

/**
 * Normalized Average True Range: Wilder's average true range in percent of the close.
 * 0 where the close is 0; a period of 1 is normalised like any other (TA-Lib gives the bare true range there).
 * Source: Forman, Stocks & Commodities (May 2006); TA-Lib 0.6 NATR.
 */
export function natr(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const state = frame.state
  const seeded = max(from, min(to, period + 1))
  if (from < seeded) {
    averageTrueRange(high, low, close, out, from, seeded, period, state)
    // NaN before the first value stays NaN.
    for (let i = from; i < seeded; i++) out[i] = shareOf(out[i], close[i])
  }
  // The division is in the loop of the average, so that a processor divides while it waits for the next average.
  const share = 1 / <f64>period
  const keep = 1 - share
  let mean = state[0]
  for (let i = seeded; i < to; i++) {
    mean = mean * keep + trueRange(high, low, close, i) * share
    out[i] = shareOf(mean, close[i])
  }
  state[0] = mean
}

function shareOf(range: f64, price: f64): f64 {
  return price === 0 ? range * 0 : (range * 100) / price
}
