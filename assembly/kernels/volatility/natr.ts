import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'

/**
 * Normalized Average True Range: Wilder's average true range in percent of the close.
 * 0 where the close is 0; a period of 1 is normalised like any other (TA-Lib returns the true range itself).
 * Source: Forman, Stocks & Commodities (May 2006); TA-Lib 0.6 NATR.
 */
export function natr(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  averageTrueRange(high, low, close, out, from, to, period, frame.state)
  const first = max(from, period)
  if (first >= to) return
  const hundred = f64x2.splat(100)
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const price = close.pair(i)
    const share = f64x2.div(f64x2.mul(out.pair(i), hundred), price)
    out.setPair(i, v128.andnot(share, f64x2.eq(price, zero)))
  }
  out[to] = after
}
