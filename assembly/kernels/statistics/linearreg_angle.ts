import { Frame } from '../../frame'
import { arctangents } from '../../parts/numbers/arctangents'
import { warmup } from '../../parts/numbers/warmup'
import { movingSlope } from '../../parts/windows/regression'

/**
 * Linear Regression Angle: the arctangent, in degrees, of the slope per candle of the line of least squares through the
 * last `period` values.
 * Source: TA-Lib 0.6 LINEARREG_ANGLE.
 */
export function linearreg_angle(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingSlope(frame.input(0), 0, out, first, to, period, frame.scratch(0))
  const degrees = f64x2.splat(180 / Math.PI)
  const after = out[to]
  for (let i = first; i < to; i += 2) out.setPair(i, f64x2.mul(arctangents(out.pair(i)), degrees))
  out[to] = after
}
