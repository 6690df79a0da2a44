import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingWeightedMean } from '../../parts/windows/weighted-means'

/**
 * Coppock Curve: the weighted mean over `wmaPeriod` candles of the sum of two rates of change, over `longRoc` and over
 * `shortRoc` candles, in percent.
 * Periods are candles, whatever their length (Coppock's were months); a change from a price of 0 counts as 0.
 * Source: Coppock, Barron's (1962); rates of change and weighted mean as TA-Lib 0.6 ROC and WMA.
 */
export function coppockcurve(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const long = frame.integer(1)
  const short = frame.integer(2)
  const start = max(long, short)
  const first = warmup(out, from, to, start + period - 1)
  if (first >= to) return
  const oldest = first - period + 1
  const changes = frame.scratch(0).from(-oldest)
  const zero = f64x2.splat(0)
  const one = f64x2.splat(1)
  for (let i = oldest; i < to; i += 2) {
    const now = x.pair(i)
    const old = x.pair(i - long)
    const recent = x.pair(i - short)
    const slow = v128.and(f64x2.sub(f64x2.div(now, old), one), f64x2.ne(old, zero))
    const fast = v128.and(f64x2.sub(f64x2.div(now, recent), one), f64x2.ne(recent, zero))
    changes.setPair(i, f64x2.mul(f64x2.add(slow, fast), f64x2.splat(100)))
  }
  movingWeightedMean(changes, start, out, first, to, period, frame.scratch(1))
}
