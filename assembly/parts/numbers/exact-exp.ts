import { Column } from '../../frame'

/** Writes the exponentials of a column, which may be `out`. One loop for all, so that the compiler inlines `exponentials` in it. */
export function writeExponentials(x: Column, out: Column, from: i32, to: i32): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, exponentials(x.pair(i)))
  out[to] = after
}

/**
 * e to the power of two numbers, by the method of FreeBSD's msun (e_exp.c): with x = k·ln 2 + r, |r| ≤ ln 2 / 2, e^x is
 * 2^k·e^r, and e^r = 1 + r + r·c / (2 − c), where c is r minus a polynomial in r². Off by less than one unit of the
 * last digit; no value above the largest number, 0 below the smallest. The lanes are independent.
 */
function exponentials(numbers: v128): v128 {
  return undefinedWhereInfinite(Powers.of(numbers, 0))
}

/** Halves of e to the power of two numbers; no value above the largest number. */
export function halfExponentials(numbers: v128): v128 {
  return undefinedWhereInfinite(Powers.of(numbers, 1))
}

/** Hyperbolic cosines of two numbers; no value above the largest number. */
export function hyperbolicCosines(numbers: v128): v128 {
  const half = Powers.of(f64x2.abs(numbers), 1)
  return undefinedWhereInfinite(f64x2.add(half, f64x2.div(f64x2.splat(0.25), half)))
}

/** A method, because only it may be inlined. */
class Powers {
  /** e to the power of two numbers, divided by 2^`halvings`. */
  @inline
  static of(numbers: v128, halvings: f64): v128 {
    // Beyond these bounds the result is constant, and k stays small; NaN stays NaN.
    const bounded = f64x2.pmax(f64x2.pmin(numbers, f64x2.splat(711)), f64x2.splat(-746))
    const k = f64x2.nearest(f64x2.mul(bounded, f64x2.splat(Math.LOG2E)))
    const high = f64x2.sub(bounded, f64x2.mul(k, f64x2.splat(6.9314718036912381649e-1)))
    const low = f64x2.mul(k, f64x2.splat(1.90821492927058770002e-10))
    const r = f64x2.sub(high, low)
    const c = f64x2.sub(r, polynomial(f64x2.mul(r, r)))
    const quotient = f64x2.div(f64x2.mul(r, c), f64x2.sub(f64x2.splat(2), c))
    const fraction = f64x2.add(f64x2.splat(1), f64x2.add(f64x2.sub(quotient, low), high))
    // 2^k by two factors, because k may be out of the range of exponents: half of it, and the rest.
    const half = f64x2.floor(f64x2.mul(k, f64x2.splat(0.5)))
    const rest = f64x2.sub(f64x2.sub(k, half), f64x2.splat(halvings))
    return f64x2.mul(f64x2.mul(fraction, powerOfTwo(half)), powerOfTwo(rest))
  }
}

/** Numbers, or NaN where they are infinite. A number with all bits set is NaN. */
function undefinedWhereInfinite(numbers: v128): v128 {
  return v128.or(numbers, f64x2.eq(numbers, f64x2.splat(Infinity)))
}

/** 2 to the power of two whole numbers, which a constant shifts into the exponent. */
function powerOfTwo(k: v128): v128 {
  return i64x2.shl(f64x2.add(k, f64x2.splat(4503599627370496 + 1023)), 52)
}

/** r²·(P₁ + r²·(P₂ + …)). */
function polynomial(z: v128): v128 {
  let sum = f64x2.add(
    f64x2.mul(z, f64x2.splat(4.13813679705723846039e-8)),
    f64x2.splat(-1.6533902205465251539e-6),
  )
  sum = f64x2.add(f64x2.mul(z, sum), f64x2.splat(6.61375632143793436117e-5))
  sum = f64x2.add(f64x2.mul(z, sum), f64x2.splat(-2.77777777770155933842e-3))
  sum = f64x2.add(f64x2.mul(z, sum), f64x2.splat(1.66666666666666019037e-1))
  return f64x2.mul(z, sum)
}
