import { Frame } from '../../frame'
import { rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { comoments } from '../../parts/windows/comoments'

/**
 * Half-life of mean reversion: −ln 2 / k candles, where k is the slope of the regression of each change on the previous
 * value, over the last `period` values.
 * No value where the values do not revert (k ≥ 0), or where all changes are equal, but for rounding.
 * Source: Chan, Algorithmic Trading (2013).
 */
export function halflife(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const pairs = frame.integer(0) - 1
  const first = warmup(out, from, to, pairs)
  if (first >= to) return
  const oldest = first - pairs + 1
  const before = frame.scratch(0).from(-oldest)
  const changes = frame.scratch(1).from(-oldest)
  for (let i = oldest; i < to; i++) {
    before[i] = x[i - 1]
    changes[i] = x[i] - x[i - 1]
  }
  const xx = frame.scratch(2).from(-first)
  const yy = frame.scratch(3).from(-first)
  const sums = frame.scratch(4)
  const squares = frame.scratch(5)
  const products = frame.scratch(6)
  comoments(before, changes, 1, xx, yy, out, first, to, pairs, sums, squares, products)
  const size = <f64>pairs
  const square = rounding * rounding
  for (let i = first; i < to; i++) {
    // Compares squares, without a root. Changes that are equal but for the rounding of prices depend on nothing. Changes
    // whose covariance with the previous value is no more than rounding do not depend on it.
    const least = rounding * size * x[i]
    const reverts = yy[i] > least * least && out[i] < 0 && out[i] * out[i] > square * xx[i] * yy[i]
    out[i] = reverts ? (-Math.LN2 * xx[i]) / out[i] : NaN
  }
}
