import { Frame } from '../../frame'
import { deviation } from '../../parts/deviation'
import { warmup } from '../../parts/warmup'

/**
 * Standard Deviation: `nbDev` times the root of the mean squared distance of the last `period` values from their mean.
 * That of the population.
 * Source: TA-Lib 0.6 STDDEV.
 */
export function stddev(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const width = frame.number(1)
  let i = warmup(out, from, to, period - 1)
  deviation(frame.input(0), 0, frame.scratch(0), out, i, to, period, frame.scratch(1))
  const after = out[to]
  for (; i < to; i += 2) out.setPair(i, f64x2.mul(out.pair(i), f64x2.splat(width)))
  out[to] = after
}
