import { Frame } from '../../frame'
import { reversal } from '../../parts/chart/reversal'

/**
 * Inverse Head and Shoulders: a bottom between two higher ones of about the same depth, confirmed by the close above
 * the line through the two highs between them. `value` is 100 at that candle.
 * `reversal` in assembly/parts/chart defines the turning points, the conditions, and the candles that have neckline and
 * target.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948); Bulkowski, Encyclopedia of Chart Patterns
 * (2005).
 */
export function inverseheadandshoulders(frame: Frame, from: i32, to: i32): void {
  reversal(frame, from, to, -1, 3, true)
}
