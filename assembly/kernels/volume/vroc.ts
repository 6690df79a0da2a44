import { Frame } from '../../frame'
import { percentAbove } from '../../parts/numbers/percent'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Volume Rate of Change: the change of the volume over `period` candles in percent.
 * 0 after a volume of 0.
 * Source: trading-signals VROC; ta4j ROCVIndicator.
 */
export function vroc(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  percentAbove(x, x.from(-period), out, first, to, 0)
}
