import { Frame } from '../../frame'
import { medianPrices } from '../../parts/candles/median-price'
import { logarithms } from '../../parts/numbers/fast-log'
import { areRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingRange } from '../../parts/windows/extremes'

/**
 * Fisher Transform: F = ln((1 + v) / (1 − v)) / 2 + F′ / 2, where v = 0.66·(p − 1/2) + 0.67·v′, p is the position of
 * the median price (high + low) / 2 between the lowest (0) and the highest (1) of `period` median prices, and a prime
 * marks the previous candle; the signal is F′.
 * v and F begin with 0; v beyond ±0.99 becomes ±0.999; p is 1/2 where the median prices are equal but for rounding
 * (Tulip: 0).
 * Source: Ehlers, Using the Fisher Transform (2002); TA-Lib 0.8.3 FISHER.
 */
export function fisher(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const signal = frame.output(1)
  const state = frame.state
  const period = frame.integer(0)
  let value = from === 0 ? 0 : state[0]
  let transform = from === 0 ? 0 : state[1]
  warmup(out, from, to, period - 1)
  const first = warmup(signal, from, to, period - 1)
  if (first < to) {
    const oldest = first - period + 1
    const middle = frame.scratch(0).from(-oldest)
    const lowest = frame.scratch(1).from(-first)
    medianPrices(frame.input(0), frame.input(1), middle, oldest, to)
    movingRange(middle, middle, 0, out, lowest, first, to, period, frame.scratch(2))
    const after = out[to]
    for (let i = first; i < to; i += 2) out.setPair(i, push(middle.pair(i), lowest.pair(i), out.pair(i)))
    for (let i = first; i < to; i++) {
      value = out[i] + 0.67 * value
      if (value > 0.99) value = 0.999
      if (value < -0.99) value = -0.999
      out[i] = value
    }
    for (let i = first; i < to; i += 2) out.setPair(i, spread(out.pair(i)))
    out[to] = after
    for (let i = first; i < to; i++) {
      signal[i] = transform
      transform = out[i] + 0.5 * transform
      out[i] = transform
    }
  }
  state[0] = value
  state[1] = transform
}

/** Change of v by the midpoint's position between `lowest` and `highest`. */
function push(middle: v128, lowest: v128, highest: v128): v128 {
  const range = f64x2.sub(highest, lowest)
  const share = f64x2.div(f64x2.sub(middle, lowest), range)
  const position = v128.bitselect(f64x2.splat(0.5), share, areRounding(range, lowest))
  return f64x2.mul(f64x2.sub(position, f64x2.splat(0.5)), f64x2.splat(0.66))
}

/** ln((1 + v) / (1 − v)) / 2 */
function spread(v: v128): v128 {
  const one = f64x2.splat(1)
  return f64x2.mul(logarithms(f64x2.div(f64x2.add(one, v), f64x2.sub(one, v))), f64x2.splat(0.5))
}
