import { Frame } from '../../frame'
import { finite } from '../../parts/numbers/finite'
import { rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { largestDrawdowns } from '../../parts/windows/drawdowns'

/**
 * Calmar Ratio: the growth over the last `period` candles, as a share per `periodsPerYear` candles, divided by the
 * maximum drawdown of these `period` + 1 values. No value if there was no drawdown beyond rounding, or a value is not
 * positive. ooples uses another power.
 * Source: Young, Calmar Ratio: A Smoother Tool (1991).
 */
export function calmarratio(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const power = frame.number(1) / <f64>period
  const first = warmup(out, from, to, period)
  largestDrawdowns(x, out, first, to, period + 1, frame.scratch(0), frame.scratch(1), frame.scratch(2))
  for (let i = first; i < to; i++) {
    const growth = x[i] / x[i - period]
    const annual = power === 1 ? growth : growth ** power
    out[i] = out[i] > rounding ? finite((annual - 1) / out[i]) : NaN
  }
}
