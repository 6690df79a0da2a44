import { Frame } from '../../frame'
import { chartLines, Shape } from '../../parts/chart/chart-lines'

/**
 * Falling Wedge: both lines fall and the width falls below three quarters of what it was.
 * 100 at the close above the upper line. Only the classical breakout counts, the one against the slope.
 * `chartLines` in assembly/parts/chart/chart-lines.ts defines turning points, lines, breakout and the end of the
 * pattern.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948); the share is ours.
 */
export function wedgefalling(frame: Frame, from: i32, to: i32): void {
  chartLines(frame, from, to, Shape.wedge, 1)
}
