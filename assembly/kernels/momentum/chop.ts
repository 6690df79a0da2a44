import { Frame } from '../../frame'
import { trueRanges } from '../../parts/candles/true-range'
import { logarithms } from '../../parts/numbers/fast-log'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'
import { movingSum } from '../../parts/windows/sums'

/**
 * Choppiness Index: 100·log(S / B) / log(period), where S is the sum of the true ranges of `period` candles and B the
 * distance between the highest high and the lowest low among them.
 * It can exceed 100 after a gap (others include the close before the window in the extremes, as the true range does,
 * and stay below); 100 where all highs and lows are equal.
 * Source: Dreiss 1993; TradingView's Choppiness Index.
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
  const ranges = frame.scratch(0).from(-oldest)
  const lowest = frame.scratch(1).from(-first)
  const suffixes = frame.scratch(2)
  trueRanges(high, low, close, ranges, oldest, to)
  movingSum(ranges, 1, out, first, to, period, suffixes)
  // The true ranges are no longer needed: their column takes the highest highs.
  movingRange(high, low, 0, ranges, lowest, first, to, period, suffixes)
  const scale = 100 / Math.log(<f64>period)
  const zero = f64x2.splat(0)
  const hundred = f64x2.splat(100)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const height = f64x2.sub(ranges.pair(i), lowest.pair(i))
    // The sum of the ranges is at least the height, but for rounding.
    const ratio = f64x2.pmax(f64x2.div(out.pair(i), height), f64x2.splat(1))
    const index = f64x2.mul(logarithms(ratio), f64x2.splat(scale))
    out.setPair(i, v128.bitselect(hundred, index, f64x2.eq(height, zero)))
  }
  out[to] = after
}
