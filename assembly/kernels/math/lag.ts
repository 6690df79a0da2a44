import { Frame } from '../../frame'
import { copy } from '../../parts/numbers/copy'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Lag: the value of `period` candles ago.
 * Source: Tulip Indicators lag.
 */
export function lag(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  copy(frame.input(0), out, warmup(out, from, to, period), to, period)
}
