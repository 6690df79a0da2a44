// Read from memory: a constant of a vector costs three instructions, and a loop over a function repeats them.
const table = memory.data<u64>([
  0x3fe921fc00000000, // numbers from here on are reduced; below, |x| ≤ π/4 up to the upper half of its digits
  0x3fe45f306dc9c883, // 2 / π
  0x3ff921fb54400000, // 33 digits of π/2
  0x3dd0b4611a626331, // π/2 less them
  0x3dd0b4611a600000, // the next 33 digits
  0x3ba3198a2e037073, // π/2 less both
  0x4002d97c00000000, // 3π/4, in the upper half of its digits
  0x413921fb00000000, // 2²⁰·π/2, in the same way
  0x3e40000000000000, // 2⁻²⁷
  0x3fe5942800000000, // 0.67434
  0x3fe921fb54442d18, // π/4
  0x3c81a62633145c07, // π/4 less the number before
  0x3fd5555555555563, // T₀ … T₁₂ of the polynomial
  0x3fc111111110fe7a, // T1
  0x3faba1ba1bb341fe, // T2
  0x3f9664f48406d637, // T3
  0x3f8226e3e96e8493, // T4
  0x3f6d6d22c9560328, // T5
  0x3f57dbc8fee08315, // T6
  0x3f4344d8f2f26501, // T7
  0x3f3026f71a8d1068, // T8
  0x3f147e88a03792a6, // T9
  0x3f12b80f32f0a7e9, // T10
  0xbef375cbdb605373, // T11
  0x3efb2a7074bf7ad4, // T12
  0xbfc5555555555549, // S1 … S6 of the polynomial of sines
  0x3f8111111110f8a6, // S2
  0xbf2a01a019c161d5, // S3
  0x3ec71de357b1fe7d, // S4
  0xbe5ae5e68a2b9ceb, // S5
  0x3de5d93a5acfd57c, // S6
  0x3fa555555555554c, // C1 … C6 of that of cosines
  0xbf56c16c16c15177, // C2
  0x3efa01a019cb1590, // C3
  0xbe927e4f809c52ad, // C4
  0x3e21ee9ebdb4b1c4, // C5
  0xbda8fae9be8838d4, // C6
])

enum At {
  reducedFrom = 0,
  multiplesPerNumber = 8,
  firstPart = 16,
  firstRest = 24,
  secondPart = 32,
  secondRest = 40,
  smallTo = 48,
  boundedTo = 56,
  tinyTo = 64,
  bigFrom = 72,
  quarter = 80,
  quarterRest = 88,
  t0 = 96,
  t1 = 104,
  t2 = 112,
  t3 = 120,
  t4 = 128,
  t5 = 136,
  t6 = 144,
  t7 = 152,
  t8 = 160,
  t9 = 168,
  t10 = 176,
  t11 = 184,
  t12 = 192,
  s1 = 200,
  s2 = 208,
  s3 = 216,
  s4 = 224,
  s5 = 232,
  s6 = 240,
  c1 = 248,
  c2 = 256,
  c3 = 264,
  c4 = 272,
  c5 = 280,
  c6 = 288,
}

/** Trigonometric function of an angle. */
export enum Ratio {
  sine,
  cosine,
  tangent,
}

/** One of them in both lanes. */
function constant(at: At): v128 {
  return v128.load64_splat(table + <usize>at)
}

/** The tangents of two numbers. */
export function tangents(numbers: v128): v128 {
  return Angles.ratios(numbers, Ratio.tangent)
}

/** The sines of two numbers, or their cosines. */
export function sines(numbers: v128, ratio: Ratio): v128 {
  return Angles.ratios(numbers, ratio)
}

/** A method, because only it is inlined where the ratio is a constant. */
class Angles {
  /**
   * Sines, cosines or tangents by the method of FreeBSD's msun (e_rem_pio2.c, k_sin.c, k_cos.c, k_tan.c), with the bits
   * of `Math.sin`, `Math.cos` and `Math.tan`. The number minus a multiple of π/2 is the argument of a polynomial, which
   * the multiple selects. Where the method needs more than two parts of π/2 (very near its multiples, and above
   * 2²⁰·π/2), and next to 0, both numbers are left to `Math`, as are numbers up to π/4 of sines and cosines.
   */
  @inline
  static ratios(numbers: v128, ratio: Ratio): v128 {
    const sizes = f64x2.abs(numbers)
    const isReduced = f64x2.ge(sizes, constant(At.reducedFrom))
    const multiple = f64x2.nearest(f64x2.mul(numbers, constant(At.multiplesPerNumber)))
    const q = v128.and(multiple, isReduced)
    const r = f64x2.sub(numbers, f64x2.mul(q, constant(At.firstPart)))
    const w = f64x2.mul(q, constant(At.firstRest))
    const y = f64x2.sub(r, w)
    const exponents = i64x2.shr_u(sizes, 52)
    const isClose = i64x2.gt_s(i64x2.sub(exponents, exponentsOf(y)), i64x2.splat(16))
    const least = constant(ratio === Ratio.tangent ? At.tinyTo : At.reducedFrom)
    const isBounded = v128.andnot(f64x2.lt(sizes, constant(At.boundedTo)), f64x2.lt(sizes, least))
    if (!i64x2.all_true(isBounded)) return oneByOne(numbers, ratio)
    let rest = y
    let ends = f64x2.sub(f64x2.sub(r, y), w)
    // Rare for numbers of some hundreds, nearly always for tens of thousands: both are predicted.
    if (v128.any_true(isClose)) {
      const part = f64x2.mul(q, constant(At.secondPart))
      const closeR = f64x2.sub(r, part)
      const closeW = f64x2.sub(f64x2.mul(q, constant(At.secondRest)), f64x2.sub(f64x2.sub(r, closeR), part))
      const closeY = f64x2.sub(closeR, closeW)
      // Below 3π/4 the method uses another formula.
      const isSmall = f64x2.lt(sizes, constant(At.smallTo))
      const isCloser = i64x2.gt_s(i64x2.sub(exponents, exponentsOf(closeY)), i64x2.splat(49))
      if (v128.any_true(v128.and(isClose, v128.or(isSmall, isCloser)))) return oneByOne(numbers, ratio)
      rest = v128.bitselect(closeY, y, isClose)
      ends = v128.bitselect(f64x2.sub(f64x2.sub(closeR, closeY), closeW), ends, isClose)
    }
    // The last digits of the multiple are those of the multiple plus 1.5·2⁵². A cosine is the sine of a quarter turn more.
    const turns = f64x2.add(q, f64x2.splat(6755399441055744 + (ratio === Ratio.cosine ? 1 : 0)))
    if (ratio === Ratio.tangent) return tangentsOfRests(rest, ends, i64x2.shl(turns, 63))
    return sinesOfRests(rest, ends, turns)
  }
}

function exponentsOf(numbers: v128): v128 {
  return i64x2.shr_u(f64x2.abs(numbers), 52)
}

function oneByOne(numbers: v128, ratio: Ratio): v128 {
  const first = f64x2.splat(ratioOf(f64x2.extract_lane(numbers, 0), ratio))
  return f64x2.replace_lane(first, 1, ratioOf(f64x2.extract_lane(numbers, 1), ratio))
}

function ratioOf(x: f64, ratio: Ratio): f64 {
  if (ratio === Ratio.tangent) return Math.tan(x)
  return ratio === Ratio.sine ? Math.sin(x) : Math.cos(x)
}

/** The sines of x + y, |x| ≤ π/4, plus the number of quarter turns in the last two bits of `turns`. */
function sinesOfRests(x: v128, y: v128, turns: v128): v128 {
  const z = f64x2.mul(x, x)
  const w = f64x2.mul(z, z)
  const half = f64x2.splat(0.5)
  const v = f64x2.mul(z, x)
  const s = f64x2.add(
    next(constant(At.s2), z, next(constant(At.s3), z, constant(At.s4))),
    f64x2.mul(f64x2.mul(z, w), next(constant(At.s5), z, constant(At.s6))),
  )
  const bent = f64x2.sub(f64x2.mul(z, f64x2.sub(f64x2.mul(half, y), f64x2.mul(v, s))), y)
  const sine = f64x2.sub(x, f64x2.sub(bent, f64x2.mul(v, constant(At.s1))))
  const c = f64x2.add(
    f64x2.mul(z, next(constant(At.c1), z, next(constant(At.c2), z, constant(At.c3)))),
    f64x2.mul(f64x2.mul(w, w), next(constant(At.c4), z, next(constant(At.c5), z, constant(At.c6)))),
  )
  const one = f64x2.splat(1)
  const fall = f64x2.mul(half, z)
  const near = f64x2.sub(one, fall)
  const left = f64x2.sub(f64x2.sub(one, near), fall)
  const cosine = f64x2.add(near, f64x2.add(left, f64x2.sub(f64x2.mul(z, c), f64x2.mul(x, y))))
  const isOdd = i64x2.shr_s(i64x2.shl(turns, 63), 63)
  const sign = v128.and(i64x2.shl(turns, 62), f64x2.splat(-0.0))
  return v128.xor(v128.bitselect(cosine, sine, isOdd), sign)
}

/** The tangents of x + y, |x| ≤ π/4, or their negative reciprocals where `odd` has the sign bit. */
function tangentsOfRests(x: v128, y: v128, odd: v128): v128 {
  const one = f64x2.splat(1)
  const sign = v128.and(x, f64x2.splat(-0.0))
  const isBig = f64x2.ge(f64x2.abs(x), constant(At.bigFrom))
  // Near π/4 the result is computed from π/4 minus the number.
  const near = f64x2.add(
    f64x2.sub(constant(At.quarter), f64x2.abs(x)),
    f64x2.sub(constant(At.quarterRest), v128.xor(y, sign)),
  )
  const a = v128.bitselect(near, x, isBig)
  const b = v128.andnot(y, isBig)
  const z = f64x2.mul(a, a)
  const s = f64x2.mul(z, a)
  const polynomials = polynomial(z, f64x2.mul(z, z))
  let r = f64x2.add(b, f64x2.mul(z, f64x2.add(f64x2.mul(s, polynomials), b)))
  r = f64x2.add(r, f64x2.mul(constant(At.t0), s))
  const w = f64x2.add(a, r)
  const v = v128.or(one, odd)
  const quotient = f64x2.div(
    v128.bitselect(f64x2.mul(w, w), f64x2.splat(-1), isBig),
    v128.bitselect(f64x2.add(w, v), w, isBig),
  )
  const half = f64x2.sub(a, f64x2.sub(quotient, r))
  const big = v128.xor(f64x2.sub(v, f64x2.add(half, half)), sign)
  // −1 / w is off by two digits; its upper half and that of w determine the rest.
  const upper = v128.and(w, i64x2.splat(0xffffffff00000000))
  const lower = f64x2.sub(r, f64x2.sub(upper, a))
  const t = v128.and(quotient, i64x2.splat(0xffffffff00000000))
  const left = f64x2.add(f64x2.add(one, f64x2.mul(t, upper)), f64x2.mul(t, lower))
  const reciprocal = f64x2.add(t, f64x2.mul(quotient, left))
  return v128.bitselect(big, v128.bitselect(reciprocal, w, i64x2.shr_s(odd, 63)), isBig)
}

/** The sum of T₁ + z·T₂ + z²·T₃ + …, even and odd powers apart; `w` is z². */
function polynomial(z: v128, w: v128): v128 {
  let even = constant(At.t11)
  even = next(constant(At.t9), w, even)
  even = next(constant(At.t7), w, even)
  even = next(constant(At.t5), w, even)
  even = next(constant(At.t3), w, even)
  even = next(constant(At.t1), w, even)
  let odd = constant(At.t12)
  odd = next(constant(At.t10), w, odd)
  odd = next(constant(At.t8), w, odd)
  odd = next(constant(At.t6), w, odd)
  odd = next(constant(At.t4), w, odd)
  odd = next(constant(At.t2), w, odd)
  return f64x2.add(even, f64x2.mul(z, odd))
}

/** A coefficient plus `w` times `following`. */
function next(coefficient: v128, w: v128, following: v128): v128 {
  return f64x2.add(coefficient, f64x2.mul(w, following))
}
