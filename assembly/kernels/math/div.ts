import { Frame } from '../../frame'

/**
 * Vector Arithmetic Div: the first value divided by the second.
 * The values are high and low by default; no value where the second is 0, where TA-Lib returns infinity.
 * Source: TA-Lib 0.6 DIV.
 */
export function div(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const y = frame.input(1)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const divisor = y.pair(i)
    const isZero = f64x2.eq(divisor, f64x2.splat(0))
    out.setPair(i, v128.bitselect(f64x2.splat(NaN), f64x2.div(x.pair(i), divisor), isZero))
  }
  out[to] = after
}
