import { Frame } from '../../frame'
import { deviation } from '../../parts/deviation'
import { normalQuantile } from '../../parts/normal-quantile'
import { returnsOf } from '../../parts/returns'
import { warmup } from '../../parts/warmup'

/**
 * Value at Risk, the parametric one: the return that a candle falls short of with a probability of 1 − `confidence` if
 * returns are distributed normally, with the mean and the standard deviation of the last `period`. A fraction, mostly
 * negative.
 * The deviation of a sample. Lean begins one candle earlier.
 * Source: Lean ValueAtRisk.
 */
export function valueatrisk(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const size = <f64>period
  const width = normalQuantile(1 - frame.number(1)) * sqrt(size / (size - 1))
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const returns = frame.scratch(0).from(-oldest)
  const means = frame.scratch(1).from(-first)
  returnsOf(frame.input(0), returns, oldest, to)
  deviation(returns, 1, means, out, first, to, period, frame.scratch(2))
  for (let i = first; i < to; i++) out[i] = means[i] + width * out[i]
}
