import { Frame } from '../../frame'
import { movingRange } from '../../parts/extremes'
import { warmup } from '../../parts/warmup'

/**
 * Williams' %R: how far the close lies below the highest high of `period` candles, in percent of their range: 0 at
 * the highest high, −100 at the lowest low.
 * 0 where the range is 0.
 * Source: Williams, How I Made One Million Dollars (1973); TA-Lib 0.6 WILLR.
 */
export function willr(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  const lowest = frame.scratch(0).from(-first)
  movingRange(frame.input(0), frame.input(1), 0, out, lowest, first, to, period, frame.scratch(1))
  const zero = f64x2.splat(0)
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const top = out.pair(i)
    const range = f64x2.sub(top, lowest.pair(i))
    const share = f64x2.div(f64x2.mul(f64x2.sub(close.pair(i), top), f64x2.splat(100)), range)
    out.setPair(i, v128.and(share, f64x2.ne(range, zero)))
  }
  out[to] = after
}
