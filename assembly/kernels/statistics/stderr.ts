import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'

/**
 * Standard Error: the standard deviation of the last `period` values, divided by the root of their number.
 * The error of the mean, from the deviation of the population; not that of a regression.
 * Source: Tulip Indicators stderr.
 */
export function stderr(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const share = 1 / Math.sqrt(<f64>period)
  const first = warmup(out, from, to, period - 1)
  deviationAlone(frame.input(0), 0, out, first, to, period, frame.scratch(0), share)
}
