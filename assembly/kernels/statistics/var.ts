import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { variance } from '../../parts/windows/deviation'

/**
 * Variance: the mean squared distance of the last `period` values from their mean.
 * The variance of the population; `nbDev` changes nothing, as in TA-Lib.
 * Source: TA-Lib 0.6 VAR.
 */
function moving(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  variance(frame.input(0), 0, out, first, to, period, frame.scratch(0))
}

export { moving as var }
