import { Frame } from '../../frame'
import { chartLines, Shape } from '../../parts/chart/chart-lines'

/**
 * Rectangle: both lines are flat; 100 at the close above the upper line, −100 at the close below the lower one.
 * Flat: the last touch differs from the first by at most 0.75 average true ranges. A breakout counts on either side, so
 * no close beyond a line invalidates the pattern.
 * `chartLines` in assembly/parts/chart/chart-lines.ts defines turning points, lines, breakout and the end of the
 * pattern.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948); the tolerance is ours.
 */
export function rectangle(frame: Frame, from: i32, to: i32): void {
  chartLines(frame, from, to, Shape.rectangle, 1)
}
