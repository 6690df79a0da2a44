import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { Swings } from '../../parts/swings/swings'

/**
 * Market Structure: the trend that breaks of swings set, the last confirmed swings, and what the candle did.
 * `trend` is up after the break of a swing high and down after the break of a swing low; it is range before the first
 * break and after a candle that broke both. `lastHigh` and `lastLow` are the prices of the last confirmed swings, broken
 * or not, null before the first one. `event` is bos for a break that agrees with the trend or ends a range, choch for a
 * break that turns the trend, none otherwise. Swings (`swingLeft`, `swingRight`; a candle may be
 * one on both sides) and breaks (`breakOn`) are those of `bos`.
 * Source: smart money concepts as in LuxAlgo's indicator of that name; swings confirmed, not drawn back.
 */
export function marketstructure(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const trend = frame.output(0)
  const lastHigh = frame.output(1)
  const lastLow = frame.output(2)
  const event = frame.output(3)
  const left = frame.integer(0)
  const right = frame.integer(1)
  const isWick = frame.integer(2) === 1
  const swings = Swings.of(frame.state)
  if (from === 0) swings.reset()
  warmup(lastHigh, from, to, left + right)
  warmup(lastLow, from, to, left + right)
  warmup(event, from, to, left + right)
  for (let i = warmup(trend, from, to, left + right); i < to; i++) {
    swings.confirm(high, low, i, left, right)
    event[i] = <f64>abs(swings.advance(isWick ? high[i] : close[i], isWick ? low[i] : close[i]))
    trend[i] = swings.trend
    lastHigh[i] = swings.high
    lastLow[i] = swings.low
  }
}
