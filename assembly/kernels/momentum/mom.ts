import { Frame } from '../../frame'
import { difference } from '../../parts/numbers/difference'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Momentum: the value minus the one `period` candles before.
 * Source: TA-Lib 0.6 MOM.
 */
export function mom(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  difference(x, x.from(-period), out, warmup(out, from, to, period), to)
}
