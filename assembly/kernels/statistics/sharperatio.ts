import { Frame } from '../../frame'
import { returnsOf } from '../../parts/numbers/returns'
import { isMove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/**
 * Sharpe Ratio: the mean of the last `period` returns from candle to candle minus `riskFree`, divided by their standard
 * deviation. The deviation of the population. `riskFree` and the ratio are per candle, not per year. No value where all
 * returns are equal but for the rounding of prices, or a value is 0.
 * Source: Sharpe, The Sharpe Ratio (1994); Lean SharpeRatio.
 */
export function sharperatio(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const riskFree = frame.number(1)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const returns = frame.scratch(0).from(-oldest)
  const means = frame.scratch(1).from(-first)
  returnsOf(frame.input(0), returns, oldest, to)
  deviation(returns, 1, means, out, first, to, period, frame.scratch(2))
  for (let i = first; i < to; i++)
    out[i] = isMove(out[i], 1 + means[i]) ? (means[i] - riskFree) / out[i] : NaN
}
