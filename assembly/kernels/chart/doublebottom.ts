import { Frame } from '../../frame'
import { reversal } from '../../parts/chart/reversal'

/**
 * Double Bottom: two bottoms about as low, confirmed by the close above the high between them. `value` is 100 at that
 * candle.
 * The turning points, the conditions and how long neckline and target are given: `reversal` in assembly/parts/chart.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948); Bulkowski, Encyclopedia of Chart Patterns
 * (2005).
 */
export function doublebottom(frame: Frame, from: i32, to: i32): void {
  reversal(frame, from, to, -1, 2, false)
}
