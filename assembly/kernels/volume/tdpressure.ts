import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * TD Pressure: 100·Σ x / Σ |x| over `period` candles, where x is the volume of a candle times its body, divided by its
 * range.
 * A candle without range counts as 0; 0 if all do.
 * Source: Perl, DeMark Indicators (2008), pp. 137–139.
 */
export function tdpressure(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const terms = frame.scratch(0).from(-oldest)
  const sizes = frame.scratch(1).from(-oldest)
  const totals = frame.scratch(2).from(-first)
  for (let i = oldest; i < to; i++) {
    const range = frame.input(1)[i] - frame.input(2)[i]
    const body = frame.input(3)[i] - frame.input(0)[i]
    terms[i] = range !== 0 ? (body / range) * frame.input(4)[i] : 0
    sizes[i] = abs(terms[i])
  }
  movingSum(terms, 0, out, first, to, period, frame.scratch(3))
  movingSum(sizes, 0, totals, first, to, period, frame.scratch(3))
  for (let i = first; i < to; i++) out[i] = totals[i] !== 0 ? 100 * (out[i] / totals[i]) : 0
}
