import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { trueRanges } from '../../parts/candles/true-range'
import { quotients } from '../../parts/numbers/quotient'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Volatility Ratio: the true range divided by the average true range (`atr`), or by the range of the previous `period`
 * candles, extended to the close before them (`range`).
 * Wilder's average. No value where the divisor is 0.
 * Source: Schwager, Technical Analysis (1996); QuanTAlib Vr.
 */
export function volatilityratio(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const isAverage = frame.integer(1) === 0
  const lookback = isAverage ? period : period + 1
  if (isAverage) averageTrueRange(high, low, close, out, from, to, period, frame.state)
  const first = warmup(out, from, to, lookback)
  const after = out[to]
  if (!isAverage) {
    const lows = frame.scratch(1).from(-first)
    movingRange(high.from(-1), low.from(-1), 1, out, lows, first, to, period, frame.scratch(2))
    for (let i = first; i < to; i += 2) {
      const before = close.pair(i - period - 1)
      const top = f64x2.pmax(out.pair(i), before)
      out.setPair(i, f64x2.sub(top, f64x2.pmin(lows.pair(i), before)))
    }
  }
  const ranges = frame.scratch(0).from(-first)
  trueRanges(high, low, close, ranges, first, to)
  for (let i = first; i < to; i += 2) out.setPair(i, quotients(ranges.pair(i), out.pair(i)))
  out[to] = after
}
