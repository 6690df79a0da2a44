// Arc sines and arc cosines of two numbers by the method of FreeBSD's msun (e_asin.c, e_acos.c), with the bits of `Math.asin`
// and `Math.acos`. Up to ½ they are a polynomial in x²; above, one in z = (1 − |x|) / 2, because arcsin x = π/2 − 2·arcsin √z.

const piHalf = 1.570796326794896558
/** π/2 less the number before. */
const piHalfRest = 6.12323399573676603587e-17

/** The arc sines of two numbers; no value outside of −1 … 1. */
export function arcsines(numbers: v128): v128 {
  const sizes = f64x2.abs(numbers)
  // Most prices are above 1.
  if (!v128.any_true(f64x2.le(sizes, f64x2.splat(1)))) return f64x2.splat(NaN)
  const isSmall = f64x2.lt(sizes, f64x2.splat(0.5))
  const r = remainders(numbers, sizes, isSmall)
  const small = f64x2.add(numbers, f64x2.mul(numbers, r))
  if (i64x2.all_true(isSmall)) return small
  const z = halvesToOne(sizes)
  const s = f64x2.sqrt(z)
  const high = upperDigits(s)
  const twice = f64x2.mul(f64x2.mul(f64x2.splat(2), s), r)
  const low = lowerDigits(z, s, high)
  const near = f64x2.sub(
    f64x2.splat(piHalf),
    f64x2.sub(f64x2.mul(f64x2.splat(2), f64x2.add(s, f64x2.mul(s, r))), f64x2.splat(piHalfRest)),
  )
  const far = f64x2.sub(
    f64x2.splat(0.5 * piHalf),
    f64x2.sub(
      f64x2.sub(twice, f64x2.sub(f64x2.splat(piHalfRest), f64x2.mul(f64x2.splat(2), low))),
      f64x2.sub(f64x2.splat(0.5 * piHalf), f64x2.mul(f64x2.splat(2), high)),
    ),
  )
  // From 0.975 on: the upper half of the digits decides.
  const isNear = i64x2.gt_s(sizes, i64x2.splat(0x3fef3332ffffffff))
  const large = v128.or(v128.bitselect(near, far, isNear), v128.and(numbers, f64x2.splat(-0.0)))
  return v128.bitselect(small, large, isSmall)
}

/** The arc cosines of two numbers; no value outside of −1 … 1. */
export function arccosines(numbers: v128): v128 {
  const sizes = f64x2.abs(numbers)
  // Most prices are above 1.
  if (!v128.any_true(f64x2.le(sizes, f64x2.splat(1)))) return f64x2.splat(NaN)
  const isSmall = f64x2.lt(sizes, f64x2.splat(0.5))
  const r = remainders(numbers, sizes, isSmall)
  const rest = f64x2.sub(f64x2.splat(piHalfRest), f64x2.mul(numbers, r))
  const small = f64x2.sub(f64x2.splat(piHalf), f64x2.sub(numbers, rest))
  if (i64x2.all_true(isSmall)) return small
  const z = halvesToOne(sizes)
  const s = f64x2.sqrt(z)
  const product = f64x2.mul(r, s)
  const high = upperDigits(s)
  const positive = f64x2.mul(f64x2.splat(2), f64x2.add(high, f64x2.add(product, lowerDigits(z, s, high))))
  const sum = f64x2.add(s, f64x2.sub(product, f64x2.splat(piHalfRest)))
  const negative = f64x2.mul(f64x2.splat(2), f64x2.sub(f64x2.splat(piHalf), sum))
  const large = v128.bitselect(negative, positive, f64x2.lt(numbers, f64x2.splat(0)))
  const isOne = f64x2.eq(numbers, f64x2.splat(1))
  return v128.andnot(v128.bitselect(small, large, isSmall), isOne)
}

/** (1 − x) / 2. */
function halvesToOne(sizes: v128): v128 {
  return f64x2.sub(f64x2.splat(0.5), f64x2.mul(sizes, f64x2.splat(0.5)))
}

/** Numbers with half of their digits. */
function upperDigits(s: v128): v128 {
  return v128.and(s, i64x2.splat(0xffffffff00000000))
}

/** The other digits of s = √z. */
function lowerDigits(z: v128, s: v128, high: v128): v128 {
  return f64x2.div(f64x2.sub(z, f64x2.mul(high, high)), f64x2.add(s, high))
}

/** (arcsin √t − √t) / √t, where t is x² for a small number and (1 − |x|) / 2 for a large one. */
function remainders(numbers: v128, sizes: v128, isSmall: v128): v128 {
  const t = v128.bitselect(f64x2.mul(numbers, numbers), halvesToOne(sizes), isSmall)
  let p = f64x2.add(
    f64x2.splat(7.91534994289814532176e-4),
    f64x2.mul(t, f64x2.splat(3.4793310759602116757e-5)),
  )
  p = f64x2.add(f64x2.splat(-4.00555345006794114027e-2), f64x2.mul(t, p))
  p = f64x2.add(f64x2.splat(2.01212532134862925881e-1), f64x2.mul(t, p))
  p = f64x2.add(f64x2.splat(-3.25565818622400915405e-1), f64x2.mul(t, p))
  p = f64x2.add(f64x2.splat(1.66666666666666657415e-1), f64x2.mul(t, p))
  let q = f64x2.add(
    f64x2.splat(-6.8828397160545329303e-1),
    f64x2.mul(t, f64x2.splat(7.70381505559019352791e-2)),
  )
  q = f64x2.add(f64x2.splat(2.02094576023350569471), f64x2.mul(t, q))
  q = f64x2.add(f64x2.splat(-2.40339491173441421878), f64x2.mul(t, q))
  q = f64x2.add(f64x2.splat(1), f64x2.mul(t, q))
  return f64x2.div(f64x2.mul(t, p), q)
}
