import { Frame } from '../../frame'
import { difference } from '../../parts/numbers/difference'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Qstick: the mean of close − open over the last `period` candles.
 * Source: Chande and Kroll, The New Technical Trader (1994); Tulip Indicators qstick.
 */
export function qstick(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const bodies = frame.scratch(0).from(-oldest)
  difference(frame.input(1), frame.input(0), bodies, oldest, to)
  movingMean(bodies, 0, out, first, to, period, frame.scratch(1))
}
