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
  const afterUpper = upper[to]
  const afterLower = lower[to]
  for (let i = from; i < to; i += 2) {
    const rise = upper.pair(i)
    const fall = lower.pair(i)
    let top = f64x2.splat(-Infinity)
    let bottom = f64x2.splat(Infinity)
    for (let j = 0; j < period; j++) {
      const distance = f64x2.splat(<f64>j)
      top = f64x2.pmax(top, f64x2.add(high.pair(i - j), f64x2.mul(distance, rise)))
      bottom = f64x2.pmin(bottom, f64x2.add(low.pair(i - j), f64x2.mul(distance, fall)))
    }
    upper.setPair(i, top)
    lower.setPair(i, bottom)
  }
  upper[to] = afterUpper
  lower[to] = afterLower
}
