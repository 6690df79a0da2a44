import { Frame } from '../../frame'
import { rounding } from '../../parts/chart/rounding'

/**
 * Inverse Cup and Handle: a rounded top between two rims of about the same depth and a shallow rally, confirmed by the
 * close below the rims. `value` is −100 at that candle.
 * `rounding` in assembly/parts/chart defines the turning points, the conditions, and the candles that have neckline and
 * target.
 * Source: Bulkowski, Encyclopedia of Chart Patterns (2005); the limits of depth, shape and handle are our own.
 */
export function inversecupandhandle(frame: Frame, from: i32, to: i32): void {
  rounding(frame, from, to, -1, true)
}
