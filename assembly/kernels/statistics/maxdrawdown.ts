import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { largestDrawdowns } from '../../parts/windows/drawdowns'

/**
 * Maximum Drawdown: the largest distance of one of the last `period` values below the highest since the first of them,
 * as a fraction of that highest value.
 * No value where one of them is not positive.
 * Source: the divisor of Young, Calmar Ratio: A Smoother Tool (1991).
 */
export function maxdrawdown(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  largestDrawdowns(
    frame.input(0),
    out,
    first,
    to,
    period,
    frame.scratch(0),
    frame.scratch(1),
    frame.scratch(2),
  )
}
