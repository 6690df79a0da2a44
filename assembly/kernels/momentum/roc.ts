import { Frame } from '../../frame'
import { change } from '../../parts/numbers/change'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Rate of Change: the change since the value `period` candles before, in percent of that value.
 * 0 where the value before is 0.
 * Source: TA-Lib 0.6 ROC.
 */
export function roc(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  change(frame.input(0), out, warmup(out, from, to, period), to, period, 100)
}
