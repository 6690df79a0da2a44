import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Kaufman Stop: the low minus `multiplier` mean ranges of `period` candles (`long`), and the high plus the same
 * (`short`).
 * Source: Kaufman, Trading Systems and Methods; jesse kaufmanstop.
 */
export function kaufmanstop(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const long = frame.output(0)
  const short = frame.output(1)
  const period = frame.integer(0)
  const first = warmup(long, from, to, period - 1)
  warmup(short, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const ranges = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i += 2) ranges.setPair(i, f64x2.sub(high.pair(i), low.pair(i)))
  movingMean(ranges, 0, long, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) {
    const distance = frame.number(1) * long[i]
    long[i] = low[i] - distance
    short[i] = high[i] + distance
  }
}
