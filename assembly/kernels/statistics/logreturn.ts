import { Frame } from '../../frame'
import { logRatios } from '../../parts/numbers/fast-log'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Log Return: the natural logarithm of the value divided by the one `period` candles before; with `cumulative`, divided
 * by the first one of all.
 * No value where one of the two is not positive.
 * Source: pandas-ta-classic log_return; Lean LogReturn.
 */
export function logreturn(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const isCumulative = frame.integer(1) === 1
  if (from === 0) state[0] = x[0]
  const start = f64x2.splat(state[0])
  const after = out[to]
  for (let i = warmup(out, from, to, isCumulative ? 0 : period); i < to; i += 2) {
    out.setPair(i, logRatios(x.pair(i), isCumulative ? start : x.pair(i - period)))
  }
  out[to] = after
}
