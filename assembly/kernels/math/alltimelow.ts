import { Frame } from '../../frame'

/**
 * All-time Low: the lowest value since the first candle.
 * Source: Pine ta.min, as PyneCore has it.
 */
export function alltimelow(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  let best: f64 = from === 0 ? NaN : frame.state[0]
  for (let i = from; i < to; i++) {
    if (x[i] < best || isNaN(best)) best = x[i]
    out[i] = best
  }
  frame.state[0] = best
}
