import { Frame } from '../../frame'
import { hundreds } from '../../parts/numbers/simd'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Turtle Soup: a failed breakout. 100 where the low passes the lowest low of the `period` candles before and the close
 * is back above it; −100 where the high passes their highest high and the close is back below it. The extreme has to be
 * at least `separation` candles old; a candle that fails on both sides has no signal.
 * The book enters by a stop order on the same day; here the close decides.
 * Source: Connors and Raschke, Street Smarts (1995).
 */
export function turtlesoup(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  const period = frame.integer(0)
  // The extreme is old enough if the extremes of the newest candles lie inside it.
  const newest = min(frame.integer(1) - 1, period)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const highest = frame.scratch(0).from(-first)
  const lowest = frame.scratch(1).from(-first)
  const newestHigh = frame.scratch(2).from(-first)
  const newestLow = frame.scratch(3).from(-first)
  const suffixes = frame.scratch(4)
  movingRange(high, low, 0, highest.from(1), lowest.from(1), first - 1, to - 1, period, suffixes)
  if (newest > 0) {
    movingRange(high, low, 0, newestHigh.from(1), newestLow.from(1), first - 1, to - 1, newest, suffixes)
  }
  const after = out[to]
  for (let i = first; i < to; i += 2) {
    const bottom = lowest.pair(i)
    const top = highest.pair(i)
    let isUp = v128.and(f64x2.lt(low.pair(i), bottom), f64x2.gt(close.pair(i), bottom))
    let isDown = v128.and(f64x2.gt(high.pair(i), top), f64x2.lt(close.pair(i), top))
    if (newest > 0) {
      isUp = v128.and(isUp, f64x2.gt(newestLow.pair(i), bottom))
      isDown = v128.and(isDown, f64x2.lt(newestHigh.pair(i), top))
    }
    out.setPair(i, v128.and(hundreds(isUp, isDown), v128.xor(isUp, isDown)))
  }
  out[to] = after
}
