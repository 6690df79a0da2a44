import { Frame } from '../../frame'

/**
 * Vector Round: the nearest whole number.
 * A half is rounded away from 0, as C does.
 * Source: Tulip Indicators round.
 */
export function round(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, nearest(x.pair(i)))
  out[to] = after
}

function nearest(value: v128): v128 {
  const whole = f64x2.trunc(value)
  const isFar = f64x2.ge(f64x2.abs(f64x2.sub(value, whole)), f64x2.splat(0.5))
  const one = v128.or(v128.and(value, f64x2.splat(-0.0)), f64x2.splat(1))
  return f64x2.add(whole, v128.and(one, isFar))
}
