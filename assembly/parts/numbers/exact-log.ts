// Logarithms of two numbers at once, by the method of FreeBSD's msun (e_log.c, k_log.h): a number is 2^k·(1 + f) with 1
// + f between √½ and √2, and log(1 + f) = f − f²/2 + s·(f²/2 + R), where s = f / (2 + f) and R is a polynomial in s².
// Off by less than one unit of the last digit. The lanes are independent, so a value has the same bits in either lane.

import { Column } from '../../frame'

/** Writes the natural logarithms of a column, which may be `out`. One loop for all, so that the compiler inlines `logarithms` in it. */
export function writeLogarithms(x: Column, out: Column, from: i32, to: i32): void {
  const after = out[to]
  for (let i = from; i < to; i += 2) out.setPair(i, logarithms(x.pair(i)))
  out[to] = after
}

/** Natural logarithms; no value for numbers that are not positive, or infinite. */
function logarithms(numbers: v128): v128 {
  const isUsual = v128.and(
    f64x2.ge(numbers, f64x2.splat(leastNormal)),
    f64x2.lt(numbers, f64x2.splat(Infinity)),
  )
  // Nearly always true.
  if (i64x2.all_true(isUsual)) return logarithmsOf(wholeExponents(numbers), fractions(numbers))
  const scaled = withoutSubnormals(numbers)
  return whereDefined(logarithmsOf(exponents(numbers, scaled), fractions(scaled)), numbers)
}

/** Natural logarithms of numbers with the exponents k and the fractions f. */
function logarithmsOf(k: v128, f: v128): v128 {
  const half = f64x2.mul(f64x2.mul(f64x2.splat(0.5), f), f)
  const corrected = Correction.of(f, half)
  const low = f64x2.add(corrected, f64x2.mul(k, f64x2.splat(1.90821492927058770002e-10)))
  const high = f64x2.mul(k, f64x2.splat(6.9314718036912381649e-1))
  return f64x2.sub(high, f64x2.sub(f64x2.sub(half, low), f))
}

/** Logarithms to the base of 10; no value for numbers that are not positive, or infinite. */
export function commonLogarithms(numbers: v128): v128 {
  const scaled = withoutSubnormals(numbers)
  const k = exponents(numbers, scaled)
  const f = fractions(scaled)
  const half = f64x2.mul(f64x2.mul(f64x2.splat(0.5), f), f)
  // The logarithm of 1 + f in two parts, the first one with so few digits that its product below is exact.
  const high = v128.and(f64x2.sub(f, half), i64x2.splat(0xffffffff00000000))
  const low = f64x2.add(f64x2.sub(f64x2.sub(f, high), half), Correction.of(f, half))
  const product = f64x2.mul(high, f64x2.splat(4.34294481878168880939e-1))
  const whole = f64x2.mul(k, f64x2.splat(3.01029995663611771306e-1))
  const remainder = f64x2.add(
    f64x2.add(
      f64x2.mul(k, f64x2.splat(3.69423907715893078616e-13)),
      f64x2.mul(f64x2.add(low, high), f64x2.splat(2.50829467116452752298e-11)),
    ),
    f64x2.mul(low, f64x2.splat(4.34294481878168880939e-1)),
  )
  const sum = f64x2.add(whole, product)
  const rest = f64x2.add(remainder, f64x2.add(f64x2.sub(whole, sum), product))
  return whereDefined(f64x2.add(rest, sum), numbers)
}

const leastNormal = 2.2250738585072014e-308

/** The numbers; those below the smallest normal number times 2^54. */
function withoutSubnormals(numbers: v128): v128 {
  const isSmall = f64x2.lt(numbers, f64x2.splat(leastNormal))
  return v128.bitselect(f64x2.mul(numbers, f64x2.splat(18014398509481984)), numbers, isSmall)
}

/**
 * The bits of 1 minus those of √½. Added to the bits of a number, they carry into its exponent from √½ times a power of
 * 2 on.
 */
const carry: i64 = 0x3ff0000000000000 - 0x3fe6a09e00000000

/** The exponents k of normal numbers. */
function wholeExponents(numbers: v128): v128 {
  const biased = i64x2.shr_u(i64x2.add(numbers, i64x2.splat(carry)), 52)
  // The low bits of 2^52 hold a whole number unchanged.
  const large = v128.or(biased, f64x2.splat(4503599627370496))
  return f64x2.sub(large, f64x2.splat(4503599627370496 + 1023))
}

/** The exponents k of numbers, of which `scaled` has the subnormal ones times 2^54. */
function exponents(numbers: v128, scaled: v128): v128 {
  const isSmall = f64x2.lt(numbers, f64x2.splat(leastNormal))
  return f64x2.sub(wholeExponents(scaled), v128.and(isSmall, f64x2.splat(54)))
}

/** The fractions f of numbers. */
function fractions(scaled: v128): v128 {
  const digits = v128.and(i64x2.add(scaled, i64x2.splat(carry)), i64x2.splat(0x000fffffffffffff))
  return f64x2.sub(i64x2.add(digits, i64x2.splat(0x3fe6a09e00000000)), f64x2.splat(1))
}

/** A method, because only it may be inlined. */
class Correction {
  /** s·(f²/2 + R). */
  @inline
  static of(f: v128, half: v128): v128 {
    const s = f64x2.div(f, f64x2.add(f64x2.splat(2), f))
    const z = f64x2.mul(s, s)
    const w = f64x2.mul(z, z)
    const even = f64x2.mul(
      w,
      f64x2.add(
        f64x2.splat(3.999999999940941908e-1),
        f64x2.mul(
          w,
          f64x2.add(f64x2.splat(2.222219843214978396e-1), f64x2.mul(w, f64x2.splat(1.531383769920937332e-1))),
        ),
      ),
    )
    const odd = f64x2.mul(
      z,
      f64x2.add(
        f64x2.splat(6.66666666666673513e-1),
        f64x2.mul(
          w,
          f64x2.add(
            f64x2.splat(2.857142874366239149e-1),
            f64x2.mul(
              w,
              f64x2.add(
                f64x2.splat(1.818357216161805012e-1),
                f64x2.mul(w, f64x2.splat(1.479819860511658591e-1)),
              ),
            ),
          ),
        ),
      ),
    )
    return f64x2.mul(s, f64x2.add(half, f64x2.add(odd, even)))
  }
}

/** The results where the numbers are positive and finite, NaN elsewhere: a number whose bits are all set. */
function whereDefined(results: v128, numbers: v128): v128 {
  const zero = f64x2.splat(0)
  const isInfinite = f64x2.ne(f64x2.sub(numbers, numbers), zero)
  return v128.or(results, v128.or(f64x2.le(numbers, zero), isInfinite))
}
