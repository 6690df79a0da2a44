import { Frame } from '../../frame'
import { midpoints } from '../../parts/awesome'
import { movingRange } from '../../parts/extremes'
import { warmup } from '../../parts/warmup'

/**
 * Fisher Transform: F = ln((1 + v) / (1 − v)) / 2 + F′ / 2, where v = 0.66·(p − 1/2) + 0.67·v′, p is where the midpoint
 * (high + low) / 2 lies between the lowest (0) and the highest (1) of `period` midpoints, and a prime is the candle
 * before; the signal is F′.
 * v and F begin with 0; v beyond ±0.99 becomes ±0.999; p is 0 where the midpoints are equal.
 * Source: Ehlers, Using the Fisher Transform (2002); Tulip fisher.
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
    midpoints(frame.input(0), frame.input(1), middle, oldest, to)
    movingRange(middle, middle, 0, out, lowest, first, to, period, frame.scratch(2))
    for (let i = first; i < to; i++) {
      const range = out[i] - lowest[i]
      const position = range !== 0 ? (middle[i] - lowest[i]) / range : 0
      value = 0.33 * 2 * (position - 0.5) + 0.67 * value
      if (value > 0.99) value = 0.999
      if (value < -0.99) value = -0.999
      signal[i] = transform
      transform = 0.5 * Math.log((1 + value) / (1 - value)) + 0.5 * transform
      out[i] = transform
    }
  }
  state[0] = value
  state[1] = transform
}
