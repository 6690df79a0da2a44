import { Frame } from '../../frame'
import { rounding } from '../../parts/chart/rounding'

/**
 * Rounding Top: a dome of prices, confirmed by the first close below the low at which it began. `value` is −100 at that
 * candle.
 * `rounding` in assembly/parts/chart defines the turning points, the conditions, and the candles that have neckline and
 * target.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948); Bulkowski, Encyclopedia of Chart Patterns
 * (2005); the limits of depth and shape are our own.
 */
export function roundingtop(frame: Frame, from: i32, to: i32): void {
  rounding(frame, from, to, -1, false)
}
