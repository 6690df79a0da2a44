import { Frame } from '../../frame'
import { reversal } from '../../parts/chart/reversal'

/**
 * Triple Top: three tops of about the same height, confirmed by the close below the lower one of the lows between them.
 * `value` is −100 at that candle.
 * `reversal` in assembly/parts/chart defines the turning points, the conditions, and the candles that have neckline and
 * target.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948); Bulkowski, Encyclopedia of Chart Patterns
 * (2005).
 */
export function tripletop(frame: Frame, from: i32, to: i32): void {
  reversal(frame, from, to, 1, 3, false)
}
