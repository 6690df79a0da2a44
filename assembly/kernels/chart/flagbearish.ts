import { Frame } from '../../frame'
import { chartLines, Shape } from '../../parts/chart/chart-lines'

/**
 * Bear Flag: a pole downwards, then two parallel lines that rise; −100 at the close below the lower line.
 * Parallel: of the widths at the first and the last touch the smaller is at least three quarters of the larger one. The
 * pole falls to the first low of the flag, by at least `poleATR` average true ranges within `poleLength` candles.
 * `chartLines` in assembly/parts/chart/chart-lines.ts defines turning points, lines, breakout and the end of the
 * pattern.
 * Source: Edwards and Magee, Technical Analysis of Stock Trends (1948); the measures are ours.
 */
export function flagbearish(frame: Frame, from: i32, to: i32): void {
  chartLines(frame, from, to, Shape.flag, -1)
}
