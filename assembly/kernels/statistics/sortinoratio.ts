import { Frame } from '../../frame'
import { rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { downsideDeviation } from '../../parts/windows/downside'
import { movingMean } from '../../parts/windows/sums'

/**
 * Sortino Ratio: the mean of the last `period` returns from candle to candle minus `target`, divided by their downside
 * deviation below `target`.
 * No value where no return is below the target by more than rounding, or a value is 0.
 * Source: Sortino and Price (1994); Lean SortinoRatio.
 */
export function sortinoratio(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const target = frame.number(1)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const returns = frame.scratch(0).from(period - 1 - first)
  const shortfalls = frame.scratch(1).from(period - 1 - first)
  const means = frame.scratch(2).from(-first)
  const suffixes = frame.scratch(3)
  downsideDeviation(frame.input(0), returns, shortfalls, out, first, to, period, target, suffixes)
  movingMean(returns, 1, means, first, to, period, suffixes)
  for (let i = first; i < to; i++) out[i] = out[i] > rounding ? (means[i] - target) / out[i] : NaN
}
