import { Frame } from '../../frame'

/**
 * Vector Trigonometric Tanh: the hyperbolic tangent of the value.
 * Source: TA-Lib 0.6 TANH.
 */
export function tanh(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, hyperbolicTangents(x.pair(i)))
  out[to] = after
}

/** Returns ±1 without a computation if |x| ≥ 22, because the tangent is then rounded to ±1. Most prices are above 22. */
function hyperbolicTangents(numbers: v128): v128 {
  if (i64x2.all_true(f64x2.ge(f64x2.abs(numbers), f64x2.splat(22))))
    return v128.or(f64x2.splat(1), v128.and(numbers, f64x2.splat(-0.0)))
  const first = f64x2.splat(Math.tanh(f64x2.extract_lane(numbers, 0)))
  return f64x2.replace_lane(first, 1, Math.tanh(f64x2.extract_lane(numbers, 1)))
}
