import { Frame } from '../../frame'
import { spanEnd, spanStart } from '../../parts/candles/calendar'

/**
 * Time Weighted Average Price: the mean of (open + high + low + close) / 4 since the anchor.
 * `anchorPeriod` session restarts on every day, week on Monday, month on its first day, all at 00:00 UTC. A candle
 * belongs to the anchor in which it opens.
 * Source: the definition; QuanTAlib Twap.
 */
export function twap(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const timestamp = frame.input(4)
  const out = frame.output(0)
  const state = frame.state
  const span = frame.integer(0)
  let end = from === 0 ? -Infinity : state[0]
  // The sum is that of distances from the first price, so a constant price equals its mean to the last bit.
  let start = from === 0 ? 0 : state[1]
  let sum = from === 0 ? 0 : state[2]
  let count = from === 0 ? 0 : state[3]
  for (let i = from; i < to; i++) {
    const opened = timestamp[i]
    const price = (open[i] + high[i] + low[i] + close[i]) / 4
    if (opened >= end) {
      end = spanEnd(span, spanStart(span, opened))
      start = price
      sum = 0
      count = 0
    }
    sum += price - start
    count += 1
    out[i] = start + sum / count
  }
  state[0] = end
  state[1] = start
  state[2] = sum
  state[3] = count
}
