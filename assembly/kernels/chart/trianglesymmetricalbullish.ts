import { Frame } from '../../frame'
import { chartLines, Shape } from '../../parts/chart/chart-lines'

/**
 * Symmetrical Triangle (bullish): highs fall and lows rise; 100 at the close above the line of the highs.
 * The last of the `touches` highs is at least `minDescentATR` average true ranges below the first, the last of the lows
 * at least `minAscentATR` above the first. `trianglesymmetricalbearish` is the same pattern with the other breakout.
 * `chartLines` in assembly/parts/chart/chart-lines.ts defines turning points, lines, breakout and the end of the
 * pattern.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948), chapter 8; the tolerances are ours.
 */
export function trianglesymmetricalbullish(frame: Frame, from: i32, to: i32): void {
  chartLines(frame, from, to, Shape.symmetricalTriangle, 1)
}
