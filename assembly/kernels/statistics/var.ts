import { Frame } from '../../frame'
import { deviation } from '../../parts/deviation'
import { warmup } from '../../parts/warmup'

/**
 * Variance: the mean squared distance of the last `period` values from their mean.
 * That of the population; `nbDev` changes nothing, as in TA-Lib.
 * Source: TA-Lib 0.6 VAR.
 */
function variance(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  let i = warmup(out, from, to, period - 1)
  deviation(frame.input(0), 0, frame.scratch(0), out, i, to, period, frame.scratch(1))
  for (; i + 1 < to; i += 2) out.setPair(i, f64x2.mul(out.pair(i), out.pair(i)))
  if (i < to) out[i] *= out[i]
}

export { variance as var }
