import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'

/**
 * Annualized Historical Volatility: the standard deviation of the last `period` relative changes, times √252.
 * Simple returns and the deviation of the population (others take logarithms and a sample); a share, not percent; no
 * value while a change from 0 is in the window.
 * Source: Tulip Indicators volatility.
 */
export function volatility(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const changes = frame.scratch(0).from(-oldest)
  const one = f64x2.splat(1)
  for (let i = oldest; i < to; i += 2) changes.setPair(i, f64x2.sub(f64x2.div(x.pair(i), x.pair(i - 1)), one))
  deviationAlone(changes, 1, out, first, to, period, frame.scratch(1), Math.sqrt(252))
}
