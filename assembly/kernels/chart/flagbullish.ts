import { Frame } from '../../frame'
import { chartLines, Shape } from '../../parts/chart/chart-lines'

/**
 * Bull Flag: a pole upwards, then two parallel lines that fall; 100 at the close above the upper line.
 * Parallel: of the widths at the first and the last touch the smaller is at least three quarters of the larger one. The
 * pole rises to the first high of the flag, by at least `poleATR` average true ranges within `poleLength` candles.
 * `chartLines` in assembly/parts/chart/chart-lines.ts defines turning points, lines, breakout and the end of the
 * pattern.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948); the measures are ours.
 */
export function flagbullish(frame: Frame, from: i32, to: i32): void {
  chartLines(frame, from, to, Shape.flag, 1)
}
