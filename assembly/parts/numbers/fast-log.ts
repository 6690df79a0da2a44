/** (√2 − 1) / (√2 + 1), the largest argument for which the series has its short length. */
const largestShare: f64 = 0.1715728752538099

/**
 * The natural logarithms of both lanes; NaN for what is not a positive, finite and normal number.
 *
 * With x = 2ᵏ·m and m in [√½, √2) it is k·ln 2 + 2·artanh s, s = (m − 1) / (m + 1), whose series in s² ≤ 0.0295 ends
 * after nine terms with an error below 1e-15 of the value.
 */
export function logarithms(x: v128): v128 {
  // The exponent, biased by 1023, counted such that m begins at √½ and not at 1.
  const biased = i64x2.shr_u(i64x2.add(x, i64x2.splat(0x0009_5f61_9980_c433)), 52)
  const m = i64x2.sub(x, i64x2.shl(i64x2.sub(biased, i64x2.splat(1023)), 52))
  // OR-ing a small integer into the low bits of 2⁵² adds it.
  const raised = v128.or(biased, i64x2.splat(0x4330_0000_0000_0000))
  const k = f64x2.sub(raised, f64x2.splat(4_503_599_627_370_496 + 1023))
  const one = f64x2.splat(1)
  const s = f64x2.div(f64x2.sub(m, one), f64x2.add(m, one))
  const rest = twiceArtanh(s)
  const value = f64x2.add(f64x2.mul(k, f64x2.splat(Math.LN2)), rest)
  const isDefined = v128.and(
    f64x2.ge(x, f64x2.splat(f64.MIN_NORMAL_VALUE)),
    f64x2.lt(x, f64x2.splat(Infinity)),
  )
  return v128.bitselect(value, f64x2.splat(NaN), isDefined)
}

/**
 * The natural logarithms of a / b in both lanes; NaN where one of the two is not positive. Near 1 the difference of a
 * and b is exact, so neither is decomposed.
 */
export function logRatios(a: v128, b: v128): v128 {
  const total = f64x2.add(a, b)
  const s = f64x2.div(f64x2.sub(a, b), total)
  const isBounded = f64x2.lt(total, f64x2.splat(Infinity))
  const isNear = v128.and(f64x2.le(f64x2.abs(s), f64x2.splat(largestShare)), isBounded)
  let value = twiceArtanh(s)
  // The path of a lane must not depend on the other lane, because a history may be cut anywhere.
  if (!i64x2.all_true(isNear)) value = v128.bitselect(value, logarithms(f64x2.div(a, b)), isNear)
  const isPositive = f64x2.gt(f64x2.pmin(a, b), f64x2.splat(0))
  return v128.bitselect(value, f64x2.splat(NaN), isPositive)
}

/** 2·artanh s for |s| ≤ `largestShare`. */
function twiceArtanh(s: v128): v128 {
  const z = f64x2.mul(s, s)
  const w = f64x2.mul(z, z)
  // Even and odd terms apart: two chains of four that do not wait for each other.
  let even = f64x2.add(f64x2.mul(w, f64x2.splat(1.0 / 15)), f64x2.splat(1.0 / 11))
  let odd = f64x2.add(f64x2.mul(w, f64x2.splat(1.0 / 17)), f64x2.splat(1.0 / 13))
  even = f64x2.add(f64x2.mul(even, w), f64x2.splat(1.0 / 7))
  odd = f64x2.add(f64x2.mul(odd, w), f64x2.splat(1.0 / 9))
  even = f64x2.add(f64x2.mul(even, w), f64x2.splat(1.0 / 3))
  odd = f64x2.add(f64x2.mul(odd, w), f64x2.splat(1.0 / 5))
  const series = f64x2.add(even, f64x2.mul(odd, z))
  const twice = f64x2.add(s, s)
  return f64x2.add(twice, f64x2.mul(f64x2.mul(series, z), twice))
}
