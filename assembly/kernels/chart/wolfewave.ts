import { Frame } from '../../frame'
import { Harmonic, harmonicSignals } from '../../parts/chart/harmonic'

/**
 * Wolfe Wave: five turning points that close in on each other. For a bullish one, 3 lies below 1, 4 between 1 and 2,
 * the lines through 1 and 3 and through 2 and 4 come closer, and 5 lies below 3 and below the line through 1 and 3, or
 * above that line by at most `tolerance` of the leg from 2 to 3. The target is the line through 1 and 4. Others add
 * Fibonacci ratios and equal durations; these are ignored.
 * 100 where the last point is a low, −100 where it is a high, at the candle that confirms it; `harmonicSignals` in
 * assembly/parts/chart/harmonic.ts defines the turning points, and the candles that have entry, stop and target.
 * Source: Wolfe in Connors and Raschke, Street Smarts (1995).
 */
export function wolfewave(frame: Frame, from: i32, to: i32): void {
  harmonicSignals(frame, from, to, Harmonic.wolfewave)
}
