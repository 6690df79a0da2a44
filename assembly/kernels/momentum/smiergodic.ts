import { Frame } from '../../frame'
import { difference } from '../../parts/numbers/difference'
import { trueStrength } from '../../parts/shared/true-strength'

/**
 * SMI Ergodic Indicator: the changes of the value, smoothed exponentially over `longPeriod` and again over
 * `shortPeriod` candles, divided by the absolute changes smoothed likewise, from −1 to 1; its exponential average, and
 * the difference.
 * Source: Blau, Momentum, Direction and Divergence (1995); pandas-ta-classic smi.
 */
export function smiergodic(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const signal = frame.output(1)
  trueStrength(
    frame.input(0),
    value,
    signal,
    from,
    to,
    frame.integer(0),
    frame.integer(1),
    frame.integer(2),
    1,
    frame.state,
  )
  difference(value, signal, frame.output(2), from, to)
}
