import { Frame } from '../../frame'
import { deviation } from '../../parts/deviation'
import { warmup } from '../../parts/warmup'

/**
 * Standard Error: the standard deviation of the last `period` values, divided by the root of their number.
 * That of their mean, by the deviation of the population; not that of a regression.
 * Source: Tulip Indicators stderr.
 */
export function stderr(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const share = 1 / Math.sqrt(<f64>period)
  let i = warmup(out, from, to, period - 1)
  deviation(frame.input(0), 0, frame.scratch(0), out, i, to, period, frame.scratch(1))
  const after = out[to]
  for (; i < to; i += 2) out.setPair(i, f64x2.mul(out.pair(i), f64x2.splat(share)))
  out[to] = after
}
