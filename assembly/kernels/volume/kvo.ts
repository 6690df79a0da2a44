import { Frame } from '../../frame'
import { warmup } from '../../parts/warmup'

/**
 * Klinger Volume Oscillator: an exponential average of the volume force over `shortPeriod` less one over
 * `longPeriod`. The force is 100·volume·|2·range / travelled − 1|, positive while high + low + close rises and negative
 * while it falls; travelled is the sum of the ranges since the candle before the turn.
 * Averages are seeded with the first force, that of the second candle; a price that stays as it was keeps the trend;
 * the force is 0 where nothing was travelled (Tulip has no value there, nor ever after).
 * Source: Klinger, Stocks & Commodities 12/1997; Tulip Indicators kvo.
 */
export function kvo(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const volume = frame.input(3)
  const out = frame.output(0)
  const state = frame.state
  const shortAlpha = 2 / <f64>(frame.integer(0) + 1)
  const longAlpha = 2 / <f64>(frame.integer(1) + 1)
  const shortKeep = 1 - shortAlpha
  const longKeep = 1 - longAlpha
  let i = warmup(out, from, to, 1)
  if (i >= to) return
  // 1 up, −1 down; 2 before the first move, which then is a turn in either direction.
  let trend = f64x2.splat(i === 1 ? 2 : state[0])
  let travelled = f64x2.splat(i === 1 ? 0 : state[1])
  let short = state[2]
  let long = state[3]
  let before = high[i - 1] + low[i - 1] + close[i - 1]
  let rangeBefore = high[i - 1] - low[i - 1]
  for (; i < to; i++) {
    const price = high[i] + low[i] + close[i]
    const range = high[i] - low[i]
    const rises = f64x2.gt(f64x2.splat(price), f64x2.splat(before))
    const falls = f64x2.lt(f64x2.splat(price), f64x2.splat(before))
    // Vectors of one number: whether a price turns is a coin toss, and a mask is cheaper than a wrong guess.
    const now = v128.bitselect(f64x2.splat(1), v128.bitselect(f64x2.splat(-1), trend, falls), rises)
    const turned = v128.bitselect(f64x2.splat(rangeBefore), travelled, f64x2.ne(now, trend))
    travelled = f64x2.add(turned, f64x2.splat(range))
    trend = now
    const distance = f64x2.extract_lane(travelled, 0)
    const share = distance !== 0 ? abs((2 * range) / distance - 1) : 0
    const force = copysign(volume[i] * share * 100, f64x2.extract_lane(trend, 0))
    if (i === 1) {
      short = force
      long = force
    } else {
      short = short * shortKeep + force * shortAlpha
      long = long * longKeep + force * longAlpha
    }
    out[i] = short - long
    before = price
    rangeBefore = range
  }
  state[0] = f64x2.extract_lane(trend, 0)
  state[1] = f64x2.extract_lane(travelled, 0)
  state[2] = short
  state[3] = long
}
