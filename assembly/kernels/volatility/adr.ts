import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Average Day Range: the mean of high − low over `period` candles.
 * Source: TradingView, Average Day Range; Lean AverageRange.
 */
export function adr(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const ranges = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i += 2) ranges.setPair(i, f64x2.sub(high.pair(i), low.pair(i)))
  movingMean(ranges, 0, out, first, to, period, frame.scratch(1))
}
