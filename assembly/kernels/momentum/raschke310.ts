import { Frame } from '../../frame'
import { difference } from '../../parts/numbers/difference'
import { meanDifference } from '../../parts/windows/mean-difference'
import { withMeanSignal } from '../../parts/windows/mean-signal'

/**
 * 3/10 Oscillator: the mean over `fastPeriod` candles minus that over `slowPeriod`; `signal` is its mean over
 * `signalPeriod` candles, `histogram` the difference.
 * Source: Connors and Raschke, Street Smarts (1995).
 */
export function raschke310(frame: Frame, from: i32, to: i32): void {
  const fast = frame.integer(0)
  const slow = frame.integer(1)
  const period = frame.integer(2)
  const suffixes = frame.scratch(1)
  // The signal reads values before the first one of this call.
  const oldest = max(slow - 1, from - period + 1)
  const values = frame.scratch(0).from(-oldest)
  if (oldest < to) meanDifference(frame.input(0), 0, values, oldest, to, fast, slow, suffixes)
  withMeanSignal(frame, values, slow - 1, from, to, period, suffixes)
  difference(frame.output(0), frame.output(1), frame.output(2), from, to)
}
