import { Frame } from '../../frame'
import { chartLines, Shape } from '../../parts/chart/chart-lines'

/**
 * Descending Triangle: the lows lie on a flat line, the highs on a falling one; −100 at the close below the lows.
 * The last of the `touches` lows differs from the first by at most `bottomToleranceATR` average true ranges, and so far
 * may those in between lie off the line. The last high is below the first, by at least `minDescentATR` average true
 * ranges. `invalidationCloses` closes in a row above the line of the highs end it.
 * `chartLines` in assembly/parts/chart/chart-lines.ts defines turning points, lines, breakout and the end of the
 * pattern.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948), chapter 8; the tolerances are ours.
 */
export function triangledescending(frame: Frame, from: i32, to: i32): void {
  chartLines(frame, from, to, Shape.flatTriangle, -1)
}
