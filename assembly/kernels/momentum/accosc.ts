import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { awesomeOscillator } from '../../parts/shared/awesome'
import { differenceToMean } from '../../parts/windows/sums'

/**
 * Accelerator Oscillator: the awesome oscillator minus its mean over five candles, where the awesome oscillator is the
 * mean midpoint of `lengthFast` candles minus that of `lengthSlow` candles.
 * Source: Williams, New Trading Dimensions (1998).
 */
export function accosc(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const slow = frame.integer(0)
  const fast = frame.integer(1)
  const start = max(slow, fast) - 1
  const first = warmup(out, from, to, start + 4)
  if (first >= to) return
  const oldest = first - 4
  const oscillator = frame.scratch(0).from(-oldest)
  const suffixes = frame.scratch(2)
  awesomeOscillator(
    frame.input(0),
    frame.input(1),
    oscillator,
    oldest,
    to,
    fast,
    slow,
    frame.scratch(1),
    suffixes,
  )
  differenceToMean(oscillator, oscillator, start, out, first, to, 5, suffixes)
}
