import { Frame } from '../../frame'
import { streaks } from '../../parts/windows/runs'

/**
 * Streak: how many candles in a row the value has risen, negative for falls; 0 where it did not change.
 * Source: ta4j StreakIndicator; Connors and Alvarez, An Introduction to ConnorsRSI (2012).
 */
export function streak(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  streaks(frame.input(0), out, from, to, frame.state)
  if (from === 0) out[0] = NaN
}
