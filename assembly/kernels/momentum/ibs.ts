import { Frame } from '../../frame'

/**
 * Internal Bar Strength: where the close lies in the range of its candle, 0 at the low, 1 at the high.
 * One half where high and low are equal.
 * Source: Lean InternalBarStrength.
 */
export function ibs(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const out = frame.output(0)
  for (let i = from; i < to; i++) {
    const range = high[i] - low[i]
    out[i] = range !== 0 ? (close[i] - low[i]) / range : 0.5
  }
}
