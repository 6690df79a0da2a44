import { Frame } from '../../frame'
import { chartLines, Shape } from '../../parts/chart/chart-lines'

/**
 * Bull Pennant: a pole upwards, then two converging lines; 100 at the close above the upper line.
 * Converging: the width falls below three quarters of what it was; the pennant may point up or down.
 * The pole rises to the first high of the pennant, by at least `poleATR` average true ranges within `poleLength`
 * candles.
 * `chartLines` in assembly/parts/chart/chart-lines.ts defines turning points, lines, breakout and the end of the
 * pattern.
 * Source: Bulkowski, Encyclopedia of Chart Patterns (2000); the measures are ours.
 */
export function pennantbullish(frame: Frame, from: i32, to: i32): void {
  chartLines(frame, from, to, Shape.pennant, 1)
}
