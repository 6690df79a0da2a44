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
  // Lane 0: the short average, lane 1: the long one.
  const alphas = f64x2.replace_lane(
    f64x2.splat(2 / <f64>(frame.integer(0) + 1)),
    1,
    2 / <f64>(frame.integer(1) + 1),
  )
  let i = warmup(out, from, to, 1)
  if (i >= to) return
  const isFirst = i === 1
  // 1 up, −1 down; 2 before the first move, which then is a turn in either direction.
  let trend = f64x2.splat(isFirst ? 2 : state[0])
  let travelled = f64x2.splat(isFirst ? 0 : state[1])
  let means = isFirst ? f64x2.splat(0) : state.pair(2)
  let weights = isFirst ? f64x2.splat(1) : alphas
  let before = high[i - 1] + low[i - 1] + close[i - 1]
  let rangeBefore = high[i - 1] - low[i - 1]
  for (; i < to; i++) {
    const price = high[i] + low[i] + close[i]
    const range = high[i] - low[i]
    // Whether a price rises is a coin toss: masks are cheaper than a wrong guess. That it stays is rare.
    if (price !== before) {
      const rises = f64x2.gt(f64x2.splat(price), f64x2.splat(before))
      const now = v128.bitselect(f64x2.splat(1), f64x2.splat(-1), rises)
      travelled = v128.bitselect(f64x2.splat(rangeBefore), travelled, f64x2.ne(now, trend))
      trend = now
    }
    travelled = f64x2.add(travelled, f64x2.splat(range))
    const distance = f64x2.extract_lane(travelled, 0)
    const share = distance !== 0 ? abs((2 * range) / distance - 1) : 0
    const force = copysign(volume[i] * share * 100, f64x2.extract_lane(trend, 0))
    means = f64x2.add(means, f64x2.mul(f64x2.sub(f64x2.splat(force), means), weights))
    weights = alphas
    out[i] = f64x2.extract_lane(means, 0) - f64x2.extract_lane(means, 1)
    before = price
    rangeBefore = range
  }
  state[0] = f64x2.extract_lane(trend, 0)
  state[1] = f64x2.extract_lane(travelled, 0)
  state.setPair(2, means)
}
