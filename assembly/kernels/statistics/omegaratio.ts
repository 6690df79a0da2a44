import { Frame } from '../../frame'
import { returnsOf } from '../../parts/numbers/returns'
import { rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Omega Ratio: the sum of the excesses of the last `period` returns from candle to candle over `threshold`, divided by
 * the sum of their shortfalls. No value where none falls short by more than rounding, or a value is 0. ooples uses
 * returns over `period` candles and a threshold per year.
 * Source: Keating and Shadwick, A Universal Performance Measure (2002).
 */
export function omegaratio(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const threshold = frame.number(1)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const gains = frame.scratch(0).from(-oldest)
  const losses = frame.scratch(1).from(-oldest)
  const totals = frame.scratch(2).from(-first)
  returnsOf(frame.input(0), gains, oldest, to)
  for (let i = oldest; i < to; i++) {
    const excess = gains[i] - threshold
    gains[i] = Math.max(excess, 0)
    losses[i] = Math.max(-excess, 0)
  }
  movingSum(gains, 1, out, first, to, period, frame.scratch(3))
  movingSum(losses, 1, totals, first, to, period, frame.scratch(3))
  for (let i = first; i < to; i++) out[i] = totals[i] > rounding ? out[i] / totals[i] : NaN
}
