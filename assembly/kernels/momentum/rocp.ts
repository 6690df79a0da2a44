import { Frame } from '../../frame'
import { change } from '../../parts/numbers/change'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Rate of Change Percentage: the change since the value `period` candles before, as a share of that value. 0 where the
 * earlier value is 0. A share, in spite of the name.
 * Source: TA-Lib 0.6 ROCP.
 */
export function rocp(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  change(frame.input(0), out, warmup(out, from, to, period), to, period, 1)
}
