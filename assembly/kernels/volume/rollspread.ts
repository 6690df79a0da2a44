import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { comoments } from '../../parts/windows/comoments'

/**
 * Roll Spread: twice the root of minus the covariance of each change with the one before over `period` candles, 0 where
 * that covariance is not negative.
 * The covariance of the population, each side less its own mean.
 * Source: Roll, A Simple Implicit Measure of the Effective Bid-Ask Spread (1984).
 */
export function rollspread(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period + 1)
  if (first >= to) return
  const oldest = first - period
  const changes = frame.scratch(0).from(-oldest)
  for (let i = oldest; i < to; i++) changes[i] = x[i] - x[i - 1]
  const xx = frame.scratch(1).from(-first)
  const yy = frame.scratch(2).from(-first)
  const sums = frame.scratch(3)
  const squares = frame.scratch(4)
  const products = frame.scratch(5)
  // Element i of the columns from the one before on is the change of the candle before.
  comoments(changes, changes.from(-1), 2, xx, yy, out, first, to, period, sums, squares, products)
  const size = <f64>period
  for (let i = first; i < to; i++) out[i] = out[i] >= 0 ? 0 : (2 * sqrt(-out[i])) / size
}
