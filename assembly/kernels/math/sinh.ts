import { Frame } from '../../frame'
import { halfExponentials } from '../../parts/numbers/exact-exp'

/**
 * Hyperbolic sine: (eˣ − e⁻ˣ) / 2. No value where it is too large for a number (inputs above 709), where TA-Lib returns
 * infinity.
 * Source: TA-Lib 0.6 SINH.
 */
export function sinh(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, hyperbolicSines(x.pair(i)))
  out[to] = after
}

/** Leaves e⁻ˣ out if |x| ≥ 22, because it is then smaller than the last digit of eˣ. Most prices are above 22. */
function hyperbolicSines(numbers: v128): v128 {
  const sizes = f64x2.abs(numbers)
  const sines = v128.or(halfExponentials(sizes), v128.and(numbers, f64x2.splat(-0.0)))
  const isSmall = f64x2.lt(sizes, f64x2.splat(22))
  return v128.any_true(isSmall) ? v128.bitselect(oneByOne(numbers), sines, isSmall) : sines
}

function oneByOne(numbers: v128): v128 {
  const first = f64x2.splat(Math.sinh(f64x2.extract_lane(numbers, 0)))
  return f64x2.replace_lane(first, 1, Math.sinh(f64x2.extract_lane(numbers, 1)))
}
