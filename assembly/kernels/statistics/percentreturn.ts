import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Percent Return: the change of the value over `period` candles, as a fraction of the earlier value; with `cumulative`,
 * since the first value of all. No value after a value of 0; TA-Lib's ROCP returns 0 there.
 * Source: pandas-ta-classic percent_return.
 */
export function percentreturn(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const isCumulative = frame.integer(1) === 1
  if (from === 0) state[0] = x[0]
  const start = f64x2.splat(state[0])
  const none = f64x2.splat(NaN)
  const after = out[to]
  for (let i = warmup(out, from, to, isCumulative ? 0 : period); i < to; i += 2) {
    const before = isCumulative ? start : x.pair(i - period)
    const share = f64x2.div(f64x2.sub(x.pair(i), before), before)
    out.setPair(i, v128.bitselect(none, share, f64x2.eq(before, f64x2.splat(0))))
  }
  out[to] = after
}
