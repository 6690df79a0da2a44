import { Column } from '../../frame'
import { isMove } from '../numbers/tie'
import { movingRange } from '../windows/extremes'

/**
 * Position of `x` between its lowest and its highest value of `period` candles, 0 to 100. Keeps the previous result, at
 * first `initial`, where these are equal but for rounding. `x` has values from `start` on. State: one number (the last
 * value).
 */
export function heldStochastic(
  x: Column,
  start: i32,
  out: Column,
  lowest: Column,
  from: i32,
  to: i32,
  period: i32,
  suffixes: Column,
  state: Column,
  initial: f64 = 0,
): void {
  let last = from === 0 ? initial : state[0]
  const first = max(from, start + period - 1)
  if (first < to) movingRange(x, x, start, out, lowest, first, to, period, suffixes)
  for (let i = first; i < to; i++) {
    const range = out[i] - lowest[i]
    if (isMove(range, lowest[i])) last = ((x[i] - lowest[i]) / range) * 100
    out[i] = last
  }
  state[0] = last
}
