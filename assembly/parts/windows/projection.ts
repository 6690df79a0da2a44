import { Column, Frame } from '../../frame'
import { movingSlope } from './regression'

/**
 * Projection bands: the highest of the last `period` highs, each moved to the newest candle along the slope of the line
 * of least squares through the highs, and the lowest of the lows along that of the lows; with `isClose` the slope is that
 * of the closes for both. Inputs: high, low, close. Scratch columns: two from `scratch` on. `from ≥ period − 1`.
 */
export function projectionBands(
  frame: Frame,
  upper: Column,
  lower: Column,
  from: i32,
  to: i32,
  period: i32,
  isClose: bool,
  scratch: i32,
): void {
  if (from >= to) return
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const suffixes = frame.scratch(scratch)
  movingSlope(isClose ? close : high, 0, upper, from, to, period, suffixes)
  movingSlope(isClose ? close : low, 0, lower, from, to, period, suffixes)
  for (let i = from; i < to; i++) {
    const rise = upper[i]
    const fall = lower[i]
    let top = -Infinity
    let bottom = Infinity
    for (let j = 0; j < period; j++) {
      top = max(top, high[i - j] + <f64>j * rise)
      bottom = min(bottom, low[i - j] + <f64>j * fall)
    }
    upper[i] = top
    lower[i] = bottom
  }
}
