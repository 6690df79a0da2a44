import { Frame } from '../../frame'
import { rounding } from '../../parts/chart/rounding'

/**
 * Inverse Cup and Handle: a rounded top between two rims about as low and a shallow rally, confirmed by the close
 * below the rims. `value` is −100 at that candle.
 * The turning points, the conditions and how long neckline and target are given: `rounding` in assembly/parts/chart.
 * Source: Bulkowski, Encyclopedia of Chart Patterns (2005); the limits of depth, shape and handle are our own.
 */
export function inversecupandhandle(frame: Frame, from: i32, to: i32): void {
  rounding(frame, from, to, -1, true)
}
