import { Frame } from '../../frame'
import { meanDeviation } from '../../parts/mean-deviation'
import { movingMean } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * Mean Deviation: the mean absolute distance of the last `period` values from their mean.
 * Source: Tulip Indicators md.
 */
export function md(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingMean(x, 0, out, first, to, period, frame.scratch(0))
  meanDeviation(x, out, out, first, to, period)
}
