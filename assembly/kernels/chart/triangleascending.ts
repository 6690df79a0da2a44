import { Frame } from '../../frame'
import { chartLines, Shape } from '../../parts/chart/chart-lines'

/**
 * Ascending Triangle: the highs lie on a flat line, the lows on a rising one; 100 at the close above the highs.
 * The last of the `touches` highs differs from the first by at most `topToleranceATR` average true ranges, and so far
 * may those in between lie off the line. The last low is above the first, by at least `minAscentATR` average true
 * ranges. `invalidationCloses` closes in a row below the line of the lows end it.
 * `chartLines` in assembly/parts/chart/chart-lines.ts defines turning points, lines, breakout and the end of the
 * pattern.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948), chapter 8; the tolerances are ours.
 */
export function triangleascending(frame: Frame, from: i32, to: i32): void {
  chartLines(frame, from, to, Shape.flatTriangle, 1)
}
