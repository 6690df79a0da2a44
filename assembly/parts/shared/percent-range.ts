import { Column } from '../../frame'
import { areRounding } from '../numbers/tie'
import { warmup } from '../numbers/warmup'
import { movingRange } from '../windows/extremes'

/**
 * Williams' percent range: the close minus the highest high of `period` candles, in percent of their range (−100 at the
 * lowest low); 0 where the range is no more than rounding. NaN before candle `period − 1`. `lowestColumn` and
 * `suffixes` are scratch columns.
 */
export function percentRange(
  high: Column,
  low: Column,
  close: Column,
  out: Column,
  from: i32,
  to: i32,
  period: i32,
  lowestColumn: Column,
  suffixes: Column,
): void {
  const first = warmup(out, from, to, period - 1)
  const lowest = lowestColumn.from(-first)
  movingRange(high, low, 0, out, lowest, first, to, period, suffixes)
  const hundred = f64x2.splat(100)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const top = out.pair(i)
    const range = f64x2.sub(top, lowest.pair(i))
    const share = f64x2.mul(f64x2.div(f64x2.sub(close.pair(i), top), range), hundred)
    out.setPair(i, v128.andnot(share, areRounding(range, top)))
  }
  out[to] = after
}
