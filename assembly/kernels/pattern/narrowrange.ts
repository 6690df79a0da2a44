import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { extremeRanges } from '../../parts/windows/extreme-ranges'

/**
 * Narrow Range: 100 where the range of the candle is smaller than that of each of the `period` − 1 candles before (NR7;
 * NR4 with a period of 4). `inside` is 100 where the candle also lies strictly inside the range of the one before.
 * Ranges that differ by no more than rounding of the price are equal.
 * Source: Crabel, Day Trading with Short Term Price Patterns and Opening Range Breakout (1990).
 */
export function narrowrange(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const value = frame.output(0)
  const inside = frame.output(1)
  const first = extremeRanges(frame, from, to, -1)
  warmup(inside, from, to, first)
  const after = inside[to]
  for (let i = first; i < to; i += 2) {
    const isLower = f64x2.lt(high.pair(i), high.pair(i - 1))
    const isHigher = f64x2.gt(low.pair(i), low.pair(i - 1))
    inside.setPair(i, v128.and(value.pair(i), v128.and(isLower, isHigher)))
  }
  inside[to] = after
}
