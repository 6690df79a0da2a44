import { Frame } from '../../frame'
import { chartLines, Shape } from '../../parts/chart/chart-lines'

/**
 * Bear Pennant: a pole downwards, then two converging lines; −100 at the close below the lower line.
 * Converging: the width falls below three quarters of what it was; the pennant may point up or down.
 * The pole falls to the first low of the pennant, by at least `poleATR` average true ranges within `poleLength`
 * candles.
 * `chartLines` in assembly/parts/chart/chart-lines.ts defines turning points, lines, breakout and the end of the
 * pattern.
 * Source: Bulkowski, Encyclopedia of Chart Patterns (2000); the measures are ours.
 */
export function pennantbearish(frame: Frame, from: i32, to: i32): void {
  chartLines(frame, from, to, Shape.pennant, -1)
}
