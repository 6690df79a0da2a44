import { Frame } from '../../frame'
import { movingRange } from '../../parts/extremes'
import { logarithms } from '../../parts/logarithm'
import { movingSum } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Choppiness Index: 100·log(S / B) / log(period), where S is the sum of the true ranges of `period` candles and B the
 * distance between the highest true high and the lowest true low among them.
 * True high and low count the close before in (others take highs and lows only, which can exceed 100 after a gap);
 * without a value where the price stood still.
 * Source: Dreiss 1993; Skender.Stock.Indicators Chop.
 */
export function chop(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const tops = frame.scratch(0).from(-oldest)
  const bottoms = frame.scratch(1).from(-oldest)
  const ranges = frame.scratch(2).from(-oldest)
  const lowest = frame.scratch(3).from(-first)
  const suffixes = frame.scratch(4)
  for (let i = oldest; i < to; i += 2) {
    const before = close.pair(i - 1)
    const top = f64x2.pmax(high.pair(i), before)
    const bottom = f64x2.pmin(low.pair(i), before)
    tops.setPair(i, top)
    bottoms.setPair(i, bottom)
    ranges.setPair(i, f64x2.sub(top, bottom))
  }
  movingSum(ranges, 1, out, first, to, period, suffixes)
  // The true ranges are no longer needed: their column takes the highest true highs.
  movingRange(tops, bottoms, 1, ranges, lowest, first, to, period, suffixes)
  const scale = 100 / Math.log(<f64>period)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const ratio = f64x2.div(out.pair(i), f64x2.sub(ranges.pair(i), lowest.pair(i)))
    out.setPair(i, f64x2.mul(logarithms(ratio), f64x2.splat(scale)))
  }
  out[to] = after
}
