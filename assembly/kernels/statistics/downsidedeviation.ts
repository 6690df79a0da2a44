import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { downsideDeviation } from '../../parts/windows/downside'

/**
 * Target Downside Deviation: the root of the mean over the last `period` returns from candle to candle of the squared
 * shortfall below `target`; returns above it count as 0.
 * No value where a value is 0.
 * Source: Lean TargetDownsideDeviation.
 */
export function downsidedeviation(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const returns = frame.scratch(0).from(period - 1 - first)
  const shortfalls = frame.scratch(1).from(period - 1 - first)
  const suffixes = frame.scratch(2)
  downsideDeviation(frame.input(0), returns, shortfalls, out, first, to, period, frame.number(1), suffixes)
}
