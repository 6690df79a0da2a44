import { Frame } from '../../frame'
import { rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { comoments } from '../../parts/windows/comoments'

/**
 * Roll Spread: 2·√−c, where c is the covariance of each change with the previous one over `period` candles; 0 if c is
 * not negative, but for rounding. The covariance of the population, each side minus its own mean.
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
  // In the columns that begin one element earlier, element i is the change of the previous candle.
  comoments(changes, changes.from(-1), 2, xx, yy, out, first, to, period, sums, squares, products)
  const size = <f64>period
  for (let i = first; i < to; i++) {
    // Rounding error of a covariance of 0: the rounding of prices times the deviation of the changes. Compares squares.
    const least = rounding * size * x[i]
    const covariance = out[i]
    const isSmall = covariance * covariance <= least * least * max(xx[i], yy[i])
    out[i] = covariance >= 0 || isSmall ? 0 : (2 * sqrt(-covariance)) / size
  }
}
