import { Frame } from '../../frame'
import { spanStart } from '../../parts/candles/calendar'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Opening Gap: the distance between the last close before a new UTC day, or week from Monday (`anchor`), and the open
 * of its first candle. `value` at that candle is 100 if it opens above the close, −100 if it opens below it, 0 if there
 * is no gap, and 0 at every other candle.
 * `top` and `bottom` are the two prices of the newest gap, from its candle on until the next one. `filled` is true from
 * the first candle on that trades back to the close before the gap, the candle of the gap included; it is false before
 * the first gap. If the anchor is not longer than the timeframe, every candle that does not open at the previous close
 * has a gap.
 * Source: the new day and new week opening gaps of the Inner Circle Trader (Huddleston).
 */
export function openinggap(frame: Frame, from: i32, to: i32): void {
  const open = frame.input(0)
  const high = frame.input(1)
  const low = frame.input(2)
  const close = frame.input(3)
  const time = frame.input(4)
  const value = frame.output(0)
  const anchor = frame.integer(0)
  const state = frame.state
  let side: f64 = from === 0 ? 0 : state[0]
  let opened = from === 0 ? NaN : state[1]
  let before = from === 0 ? NaN : state[2]
  let isFilled: f64 = from === 0 ? 0 : state[3]
  let first = from
  for (let k = 0; k < 4; k++) first = warmup(frame.output(k), from, to, 1)
  for (let i = first; i < to; i++) {
    value[i] = 0
    if (time[i - 1] < spanStart(anchor, time[i]) && open[i] !== close[i - 1]) {
      side = open[i] > close[i - 1] ? 1 : -1
      opened = open[i]
      before = close[i - 1]
      isFilled = 0
      value[i] = 100 * side
    }
    if (side > 0 ? low[i] <= before : high[i] >= before) isFilled = 1
    frame.output(1)[i] = side > 0 ? opened : before
    frame.output(2)[i] = side > 0 ? before : opened
    frame.output(3)[i] = isFilled
  }
  state[0] = side
  state[1] = opened
  state[2] = before
  state[3] = isFilled
}
