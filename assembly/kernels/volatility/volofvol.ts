import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'

/**
 * Volatility of Volatility: the standard deviation over `vovPeriod` candles of the standard deviation of the value over
 * `period` candles.
 * Deviations of the population.
 * Source: QuanTAlib Vov.
 */
export function volofvol(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const count = frame.integer(1)
  const first = warmup(out, from, to, period + count - 2)
  if (first >= to) return
  const oldest = first - count + 1
  const spreads = frame.scratch(0).from(-oldest)
  deviationAlone(frame.input(0), 0, spreads, oldest, to, period, frame.scratch(1), 1)
  deviationAlone(spreads, period - 1, out, first, to, count, frame.scratch(1), 1)
}
