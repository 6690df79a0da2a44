import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'
import { movingMean } from '../../parts/windows/sums'

/**
 * Average Sentiment Oscillator: the mean shares of bulls and bears over `period` candles, in percent. Of each range,
 * bulls have close − low plus high − open, bears open − low plus high − close. Ranges are those of single candles, of
 * `period` candles as one (`group`), or of both; 0 where there is no range.
 * Source: Average Sentiment Oscillator (mql5.com, TradingView); VectorTA aso.
 */
export function aso(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const bulls = frame.output(0)
  const bears = frame.output(1)
  const tail = frame.integer(0) - 1
  const mode = frame.integer(1)
  const isCandle = mode === 1
  const start = isCandle ? 0 : tail
  warmup(bulls, from, to, start + tail)
  const first = warmup(bears, from, to, start + tail)
  if (first >= to) return
  const oldest = first - tail
  const ups = frame.scratch(0).from(-oldest)
  const downs = frame.scratch(1).from(-oldest)
  const suffixes = frame.scratch(2)
  const share = f64x2.splat(mode === 0 ? 25 : 50)
  if (!isCandle) movingRange(high, low, 0, ups, downs, oldest, to, tail + 1, suffixes)
  for (let i = oldest; i < to; i += 2) {
    const now = close.pair(i)
    let up = f64x2.splat(0)
    let down = up
    if (!isCandle) {
      const top = ups.pair(i)
      const bottom = downs.pair(i)
      const first = open.pair(i - tail)
      up = sentiment(first, now, bottom, top)
      down = sentiment(now, first, bottom, top)
    }
    if (mode !== 2) {
      const opened = open.pair(i)
      up = f64x2.add(up, sentiment(opened, now, low.pair(i), high.pair(i)))
      down = f64x2.add(down, sentiment(now, opened, low.pair(i), high.pair(i)))
    }
    ups.setPair(i, f64x2.mul(up, share))
    downs.setPair(i, f64x2.mul(down, share))
  }
  movingMean(ups, start, bulls, first, to, tail + 1, suffixes)
  movingMean(downs, start, bears, first, to, tail + 1, suffixes)
}

/** Sum of the distances from the low to `end` and from `start` to the high, divided by the range; 0 without a range. */
function sentiment(start: v128, end: v128, low: v128, high: v128): v128 {
  const range = f64x2.sub(high, low)
  const way = f64x2.add(f64x2.sub(end, low), f64x2.sub(high, start))
  return v128.and(f64x2.div(way, range), f64x2.ne(range, f64x2.splat(0)))
}
