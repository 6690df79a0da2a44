import { Frame } from '../../frame'
import { percentAbove } from '../../parts/percent'
import { movingMean } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Volume Oscillator: by how many percent the mean volume of the short period lies above that of the long one.
 * No value where nothing was traded in the long period.
 * Source: Tulip Indicators vosc.
 */
export function vosc(frame: Frame, from: i32, to: i32): void {
  const volume = frame.input(0)
  const out = frame.output(0)
  const shortPeriod = frame.integer(0)
  const longPeriod = frame.integer(1)
  const suffixes = frame.scratch(1)
  const first = warmup(out, from, to, max(shortPeriod, longPeriod) - 1)
  const longMeans = frame.scratch(0).from(-first)
  movingMean(volume, 0, out, first, to, shortPeriod, suffixes)
  movingMean(volume, 0, longMeans, first, to, longPeriod, suffixes)
  percentAbove(out, longMeans, out, first, to, NaN)
}
