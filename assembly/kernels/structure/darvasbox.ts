import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { isStrictPivot } from '../../parts/swings/pivots'

/**
 * Darvas Box: the range of a price that pauses after a new high.
 * The top of a box is a high above those of the `period` candles before it that none of the next `period` − 2 candles
 * reaches (three with the default, as in the book). The box begins at the last of these candles; its bottom is the
 * lowest low of the last `period` candles there. A newer box replaces the one before.
 * `breakValue` is 100 at the first close above the top, −100 at the first close below the bottom. `top` and `bottom`
 * are given up to that candle and null after it until the next box.
 * The script draws a box until the next one, even after a break.
 * Source: Darvas, How I Made $2,000,000 in the Stock Market (1960), as in Darvas Box by LazyBear (TradingView).
 */
export function darvasbox(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const period = frame.integer(0)
  const state = frame.state
  const right = period - 2
  let top = from === 0 ? NaN : state[0]
  let bottom = from === 0 ? NaN : state[1]
  let first = from
  for (let k = 0; k < 3; k++) first = warmup(frame.output(k), from, to, period + right)
  for (let i = first; i < to; i++) {
    if (isStrictPivot(high, i - right, period, right, 1)) {
      top = high[i - right]
      bottom = low[i]
      for (let k = 1; k < period; k++) bottom = min(bottom, low[i - k])
    }
    const side: f64 = close[i] > top ? 1 : close[i] < bottom ? -1 : 0
    frame.output(0)[i] = top
    frame.output(1)[i] = bottom
    frame.output(2)[i] = 100 * side
    if (side !== 0) {
      top = NaN
      bottom = NaN
    }
  }
  state[0] = top
  state[1] = bottom
}
