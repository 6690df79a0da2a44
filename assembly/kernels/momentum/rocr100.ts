import { Frame } from '../../frame'
import { ratio } from '../../parts/numbers/change'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Rate of Change Ratio, scaled to 100: a value in percent of the one `period` candles before.
 * 0 where the value before is 0.
 * Source: TA-Lib 0.6 ROCR100.
 */
export function rocr100(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  ratio(frame.input(0), out, warmup(out, from, to, period), to, period, 100)
}
