import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { comoments } from '../../parts/windows/comoments'

/**
 * Covariance: the mean over the last `period` candles of the products of the distances of two columns from their means;
 * `estimator` sample divides by period − 1.
 * The columns are high and low by default.
 * Source: QuanTAlib Covariance; Lean Covariance; numpy.cov.
 */
export function covariance(frame: Frame, from: i32, to: i32): void {
  const out = frame.output(0)
  const period = frame.integer(0)
  const n = <f64>period
  const share = 1 / (n * (frame.integer(1) === 0 ? n : n - 1))
  const xx = frame.scratch(0)
  const yy = frame.scratch(1)
  const first = warmup(out, from, to, period - 1)
  const sums = frame.scratch(2)
  const squares = frame.scratch(3)
  const products = frame.scratch(4)
  comoments(frame.input(0), frame.input(1), 0, xx, yy, out, first, to, period, sums, squares, products)
  const after = out[to]
  for (let i = first; i < to; i += 2) out.setPair(i, f64x2.mul(out.pair(i), f64x2.splat(share)))
  out[to] = after
}
