import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { comoments } from '../../parts/windows/comoments'

/**
 * Pearson’s Correlation Coefficient: the covariance of two columns over the last `period` candles, divided by the
 * product of their standard deviations, from −1 to 1.
 * The columns are high and low by default. 0 where one of them is flat; TA-Lib treats very small prices as flat.
 * Source: TA-Lib 0.6 CORREL.
 */
export function correl(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const y = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const xx = frame.scratch(0)
  const yy = frame.scratch(1)
  let i = warmup(out, from, to, period - 1)
  comoments(x, y, 0, xx, yy, out, i, to, period, frame.scratch(2), frame.scratch(3), frame.scratch(4))
  const after = out[to]
  for (; i < to; i += 2) out.setPair(i, coefficient(xx.pair(i), yy.pair(i), out.pair(i)))
  out[to] = after
}

function coefficient(xx: v128, yy: v128, xy: v128): v128 {
  const isFlat = f64x2.le(f64x2.pmin(xx, yy), f64x2.splat(0))
  const product = f64x2.mul(xx, yy)
  const isNormal = v128.and(f64x2.gt(product, f64x2.splat(1e-250)), f64x2.lt(product, f64x2.splat(1e250)))
  // A root costs as much as ten other operations. The product of both would overflow or underflow for extreme prices.
  let deviations = f64x2.sqrt(product)
  if (!i64x2.all_true(isNormal))
    deviations = v128.bitselect(deviations, f64x2.mul(f64x2.sqrt(xx), f64x2.sqrt(yy)), isNormal)
  const value = f64x2.pmin(f64x2.div(xy, deviations), f64x2.splat(1))
  return v128.andnot(f64x2.pmax(value, f64x2.splat(-1)), isFlat)
}
