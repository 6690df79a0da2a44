import { Frame } from '../../frame'
import { rounding } from '../../parts/chart/rounding'

/**
 * Cup and Handle: a rounded bottom between two rims of about the same height and a shallow pullback, confirmed by the
 * close above the rims. `value` is 100 at that candle.
 * `rounding` in assembly/parts/chart defines the turning points, the conditions, and the candles that have neckline and
 * target.
 * Source: O'Neil, How to Make Money in Stocks (1988); Bulkowski, Encyclopedia of Chart Patterns (2005); the limits of
 * depth, shape and handle are our own.
 */
export function cupandhandle(frame: Frame, from: i32, to: i32): void {
  rounding(frame, from, to, 1, true)
}
