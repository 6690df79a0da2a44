// Read from memory: a constant of a vector costs three instructions, and a loop over a function repeats them.
const table = memory.data<u64>([
  0x3fd555555555550d, // T₀ … T₁₀ of the polynomial
  0xbfc999999998ebc4,
  0x3fc24924920083ff,
  0xbfbc71c6fe231671,
  0x3fb745cdc54c206e,
  0xbfb3b0f2af749a6d,
  0x3fb10d66a0d03d51,
  0xbfadde2d52defd9a,
  0x3fa97b4b24760deb,
  0xbfa2b4442c6a6c2f,
  0x3f90ad3ae322da11,
  0x3fdc000000000000, // 7/16, 11/16, 19/16, 39/16: where the ranges of sizes begin
  0x3fe6000000000000,
  0x3ff3000000000000,
  0x4003800000000000,
  0x3fe0000000000000, // 1/2
  0x3ff0000000000000, // 1
])

/**
 * The arctangents of 0, 1/2, 1, 3/2 and ∞, the middles of the ranges, and the remainder of each beyond the last digit.
 */
const middles = memory.data<u64>([
  0x0000000000000000, 0x0000000000000000, 0x3fddac670561bb4f, 0x3c7a2b7f222f65e2, 0x3fe921fb54442d18,
  0x3c81a62633145c07, 0x3fef730bd281f69b, 0x3c7007887af0cbbd, 0x3ff921fb54442d18, 0x3c91a62633145c07,
])

enum At {
  ranges = 11,
  half = 15,
  one = 16,
}

/**
 * The arctangents of two numbers, by the method of FreeBSD's msun (s_atan.c), with the same last digit as `Math.atan`:
 * the arctangent of m, the middle of the number's range, plus a polynomial of (x − m) / (1 + m·x). Nothing branches on
 * the range.
 */
export function arctangents(numbers: v128): v128 {
  const size = f64x2.abs(numbers)
  const isFirst = f64x2.ge(size, constant(At.ranges))
  const isSecond = f64x2.ge(size, constant(At.ranges + 1))
  const isThird = f64x2.ge(size, constant(At.ranges + 2))
  const isLast = f64x2.ge(size, constant(At.ranges + 3))
  const half = constant(At.half)
  const middle = f64x2.add(
    f64x2.add(v128.and(isFirst, half), v128.and(isSecond, half)),
    v128.and(isThird, half),
  )
  // In the last range m is infinite, and the quotient −1 / x.
  const above = v128.bitselect(f64x2.splat(-1), f64x2.sub(size, middle), isLast)
  const below = v128.bitselect(size, f64x2.add(constant(At.one), f64x2.mul(middle, size)), isLast)
  const x = f64x2.div(above, below)
  // A mask is −1, so this is the negated number of the range.
  const range = i64x2.add(i64x2.add(isFirst, isSecond), i64x2.add(isThird, isLast))
  const first = v128.load(middles - ((<usize>i64x2.extract_lane(range, 0)) << 4))
  const second = v128.load(middles - ((<usize>i64x2.extract_lane(range, 1)) << 4))
  const arc = v128.shuffle<f64>(first, second, 0, 2)
  const rest = v128.shuffle<f64>(first, second, 1, 3)
  const sum = f64x2.sub(arc, f64x2.sub(f64x2.sub(f64x2.mul(x, polynomial(x)), rest), x))
  return v128.xor(sum, v128.xor(numbers, size))
}

/** The sum of T₀·x² + T₁·x⁴ + T₂·x⁶ + …, even and odd terms apart. */
function polynomial(x: v128): v128 {
  const z = f64x2.mul(x, x)
  const w = f64x2.mul(z, z)
  let even = next(constant(8), w, constant(10))
  even = next(constant(6), w, even)
  even = next(constant(4), w, even)
  even = next(constant(2), w, even)
  even = next(constant(0), w, even)
  let odd = next(constant(7), w, constant(9))
  odd = next(constant(5), w, odd)
  odd = next(constant(3), w, odd)
  odd = next(constant(1), w, odd)
  return f64x2.add(f64x2.mul(z, even), f64x2.mul(w, odd))
}

/** A coefficient plus `w` times `following`. */
function next(coefficient: v128, w: v128, following: v128): v128 {
  return f64x2.add(coefficient, f64x2.mul(w, following))
}

function constant(k: i32): v128 {
  return v128.load64_splat(table + ((<usize>k) << 3))
}
