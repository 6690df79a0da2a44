import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { trueRanges } from '../../parts/candles/true-range'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Normalized Average True Range: Wilder's average true range in percent of the close.
 * 0 where the close is 0; a period of 1 is normalised like any other (TA-Lib gives the bare true range there).
 * Source: Forman, Stocks & Commodities (May 2006); TA-Lib 0.6 NATR.
 */
export function natr(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  trueRanges(frame.input(0), frame.input(1), close, out, max(from, 1), to)
  exponentialAverage(out, 1, out, from, to, period, 1 / <f64>period, frame.state)
  const after = out[to]
  const zero = f64x2.splat(0)
  for (let i = warmup(out, from, to, period); i < to; i += 2) {
    const price = close.pair(i)
    const share = f64x2.div(f64x2.mul(out.pair(i), f64x2.splat(100)), price)
    out.setPair(i, v128.andnot(share, f64x2.eq(price, zero)))
  }
  out[to] = after
}
