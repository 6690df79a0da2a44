import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { confirmPivots, Pivots } from '../../parts/swings/pivots'

/** States of the zone of the last leg. */
const over: f64 = 0
const waiting: f64 = 1
const entered: f64 = 2

/**
 * Optimal Trade Entry: the price returns to the zone between the retracements `from` and `to` of the last leg. The last
 * leg runs from a swing to the swing of the other side that followed it (`swingLeft`, `swingRight`; confirmed
 * swingRight candles later; of several swings of one side in a row the farthest counts; a swing low above the last
 * swing high, or a swing high below the last swing low, is skipped). A leg up from 100 to 200 with
 * `from` 0.618 and `to` 0.79 has its zone from 138.2 down to 121.
 * `value` is 100 (leg up) or −100 (leg down) at the first candle, from the confirming one on, whose range touches the
 * zone; once per leg. `top` and `bottom` are the ends of the zone from the confirming candle on, until a swing changes
 * the leg (the new leg has its own zone) or a candle closes beyond either end of the leg; null afterwards.
 * Source: Huddleston (Inner Circle Trader), the 62 to 79 % retracement.
 */
export function ote(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const top = frame.output(1)
  const bottom = frame.output(2)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const near = frame.number(2)
  const far = frame.number(3)
  const pivots = Pivots.of(frame.state.from(1))
  let phase = from === 0 ? over : frame.state[0]
  if (from === 0) pivots.reset(2)
  warmup(top, from, to, left + right)
  warmup(bottom, from, to, left + right)
  for (let i = warmup(value, from, to, left + right); i < to; i++) {
    if (confirmPivots(pivots, 2, high, low, i, left, right, 0) && pivots.count === 2) phase = waiting
    const side = pivots.get(0).side
    const end = pivots.get(0).price
    const start = pivots.get(1).price
    if ((close[i] - end) * side > 0 || (close[i] - start) * side < 0) phase = over
    const a = end - near * (end - start)
    const b = end - far * (end - start)
    const isEntry = phase === waiting && low[i] <= max(a, b) && high[i] >= min(a, b)
    value[i] = isEntry ? 100 * side : 0
    top[i] = phase === over ? NaN : max(a, b)
    bottom[i] = phase === over ? NaN : min(a, b)
    if (isEntry) phase = entered
  }
  frame.state[0] = phase
}
