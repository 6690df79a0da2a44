import { Frame } from '../../frame'
import { change } from '../../parts/numbers/change'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Rate of Change Percentage: by what share of it a value lies above the one `period` candles before.
 * 0 where the value before is 0; a share, in spite of its name.
 * Source: TA-Lib 0.6 ROCP.
 */
export function rocp(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  change(frame.input(0), out, warmup(out, from, to, period), to, period, 1)
}
