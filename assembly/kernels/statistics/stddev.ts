import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'

/**
 * Standard Deviation: `nbDev` times the root of the mean squared distance of the last `period` values from their mean.
 * The deviation of the population.
 * Source: TA-Lib 0.6 STDDEV.
 */
export function stddev(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const width = frame.number(1)
  const first = warmup(out, from, to, period - 1)
  deviationAlone(frame.input(0), 0, out, first, to, period, frame.scratch(0), width)
}
