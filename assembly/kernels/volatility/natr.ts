import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/candles/true-range'

/**
 * Normalized Average True Range: Wilder's average true range in percent of the close.
 * 0 where the close is 0; a period of 1 is normalised like any other (TA-Lib gives the bare true range there).
 * Source: Forman, Stocks & Commodities (May 2006); TA-Lib 0.6 NATR.
 */
export function natr(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const out = frame.output(0)
  averageTrueRange(frame.input(0), frame.input(1), close, out, from, to, frame.integer(0), frame.state)
  // NaN before the first value stays NaN.
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const price = close.pair(i)
    const range = out.pair(i)
    const share = f64x2.div(f64x2.mul(range, f64x2.splat(100)), price)
    out.setPair(i, v128.bitselect(f64x2.mul(range, zero), share, f64x2.eq(price, zero)))
  }
  out[to] = after
}
