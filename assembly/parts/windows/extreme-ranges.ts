import { Frame } from '../../frame'
import { areMoves } from '../numbers/tie'
import { warmup } from '../numbers/warmup'
import { movingMax } from './extremes'

/**
 * 100 in output 0 where the range of the candle times `sign` is larger than that of each of the `period` − 1 candles
 * before by more than rounding of the price, 0 elsewhere: on a market of whole ticks ranges are often equal. Returns the first candle with a value. Inputs: high and low. Parameter: the period. Three scratch
 * columns.
 */
export function extremeRanges(frame: Frame, from: i32, to: i32, sign: f64): i32 {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return first
  const oldest = first - period + 1
  const ranges = frame.scratch(0).from(-oldest)
  const largest = frame.scratch(1).from(-first)
  const signs = f64x2.splat(sign)
  for (let i = oldest; i < to; i += 2) {
    ranges.setPair(i, f64x2.mul(f64x2.sub(high.pair(i), low.pair(i)), signs))
  }
  // The extreme before candle i is that of the window that ends one candle earlier.
  movingMax(ranges, 0, largest.from(1), first - 1, to - 1, period - 1, frame.scratch(2))
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const isLarger = areMoves(f64x2.sub(ranges.pair(i), largest.pair(i)), high.pair(i))
    out.setPair(i, v128.and(isLarger, f64x2.splat(100)))
  }
  out[to] = after
  return first
}
