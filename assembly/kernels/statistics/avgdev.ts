import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { meanDeviation } from '../../parts/windows/mean-deviation'
import { movingMean } from '../../parts/windows/sums'

/**
 * Average Deviation: the mean absolute distance of the last `period` values from their mean.
 * Source: TA-Lib 0.6 AVGDEV.
 */
export function avgdev(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  movingMean(x, 0, out, first, to, period, frame.scratch(0))
  meanDeviation(x, out, out, first, to, period)
}
