import { Frame } from '../../frame'
import { chartLines, Shape } from '../../parts/chart/chart-lines'

/**
 * Falling Channel: both lines fall and are parallel; 100 at the close above the upper line, the classical signal
 * against the slope, and −100 at the close below the lower one, where the trend gets steeper.
 * Parallel: of the widths at the first and the last touch the smaller is at least three quarters of the larger one.
 * A breakout counts on either side, so no close beyond a line invalidates the pattern.
 * `chartLines` in assembly/parts/chart/chart-lines.ts defines turning points, lines, breakout and the end of the
 * pattern.
 * Source: Murphy, Technical Analysis of the Financial Markets (1999); the share is ours.
 */
export function channeldown(frame: Frame, from: i32, to: i32): void {
  chartLines(frame, from, to, Shape.channel, -1)
}
