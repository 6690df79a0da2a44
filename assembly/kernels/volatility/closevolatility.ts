import { Frame } from '../../frame'
import { logReturns } from '../../parts/numbers/returns'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'

/**
 * Close-to-Close Volatility: the standard deviation of the last `period` logarithmic returns.
 * A share per year of `annualPeriods` candles; with 1, per candle. The deviation is that of a sample (`volatility` uses
 * simple returns and the population; in TTR, `period` counts closes, which are one more than returns). No value while a
 * price of the window is not positive.
 * Source: TTR volatility (close); pandas-ta-classic hvol, which is in percent.
 */
export function closevolatility(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const changes = frame.scratch(0).from(-oldest)
  logReturns(x, changes, oldest, to)
  const scale = sqrt((frame.number(1) * <f64>period) / <f64>(period - 1))
  deviationAlone(changes, 1, out, first, to, period, frame.scratch(1), scale)
}
