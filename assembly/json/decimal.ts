import { exactPowers, minPower, multiplyHigh, powerHigh, powerLow } from './powers'
import { ShortNumber } from './short-number'

/** The largest power of ten of a finite double. */
const maxFinitePower = 308

/** 10^0 … 10^8. */
const chunkPowers = memory.data<u64>([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000])

/** The number of digits that always fit 64 bits. */
const maxDigits = 19
/** Larger exponents, which no double needs, are left to the caller. */
const maxExponent = 9_999

/** Number of leading digits in 8 characters. */
function leadingDigits(characters: u64): u64 {
  const odd =
    ((characters + 0x4646_4646_4646_4646) | (characters - 0x3030_3030_3030_3030)) & 0x8080_8080_8080_8080
  return ctz<u64>(odd) >> 3
}

/** Value of the first `count` of 8 digits, `count` from 1 to 8. */
function chunk(characters: u64, count: u64): u64 {
  // The digits move to the end, and zeros lead them.
  let digits = (characters - 0x3030_3030_3030_3030) << (64 - (count << 3))
  digits = digits * 10 + (digits >> 8)
  return (
    ((digits & 0x0000_00ff_0000_00ff) * 0x000f_4240_0000_0064 +
      ((digits >> 16) & 0x0000_00ff_0000_00ff) * 0x0000_2710_0000_0001) >>
    32
  )
}

/**
 * Reads the JSON number at `at` into `slot`, correctly rounded; returns the address after it, or 0 if the text is not a
 * JSON number, is not finite, or needs more than 19 digits to decide its rounding, which is rare. The text has to be
 * followed by 16 bytes that may be read.
 * Exact products and quotients of doubles (Clinger 1990), else 128-bit products (Eisel and Lemire 2021).
 */
export function readNumber(at: usize, slot: usize): usize {
  const short = ShortNumber.read(at, slot)
  if (short !== 0 && (load<u8>(short) | 0x20) !== 0x65) return short
  const isNegative = load<u8>(at) === 0x2d
  if (isNegative) at++
  const first = at
  let digits: u64 = 0
  let count: u64
  do {
    const characters = load<u64>(at)
    count = leadingDigits(characters)
    if (count === 0) break
    digits = digits * load<u64>(chunkPowers + ((<usize>count) << 3)) + chunk(characters, count)
    at += <usize>count
  } while (count === 8)
  if (at === first || (load<u8>(first) === 0x30 && at !== first + 1)) return 0
  let total = <i32>(at - first)

  let exponent = 0
  if (load<u8>(at) === 0x2e) {
    const point = ++at
    do {
      const characters = load<u64>(at)
      count = leadingDigits(characters)
      if (count === 0) break
      digits = digits * load<u64>(chunkPowers + ((<usize>count) << 3)) + chunk(characters, count)
      at += <usize>count
    } while (count === 8)
    if (at === point) return 0
    exponent = -(<i32>(at - point))
    total -= exponent
  }

  const last = at
  if ((load<u8>(at) | 0x20) === 0x65) {
    const sign = load<u8>(++at)
    if (sign === 0x2d || sign === 0x2b) at++
    const begin = at
    let scale = 0
    for (let digit = <u32>load<u8>(at) - 0x30; digit < 10; digit = <u32>load<u8>(++at) - 0x30) {
      scale = scale * 10 + <i32>digit
      if (scale > maxExponent) return 0
    }
    if (at === begin) return 0
    exponent += sign === 0x2d ? -scale : scale
  }

  const value = total <= maxDigits ? nearest(digits, exponent) : nearestOfMany(first, last, exponent)
  // NaN stands for "not decided", and fails here as Infinity does.
  if (!(value < Infinity)) return 0
  store<f64>(slot, isNegative ? -value : value)
  return at
}

/** The double nearest to digits × 10^exponent; NaN where that lies beyond the table. */
function nearest(digits: u64, exponent: i32): f64 {
  if (digits <= 1 << 53) {
    if (exponent === 0) return <f64>(<i64>digits)
    if (<u32>-exponent <= 22) return <f64>(<i64>digits) / load<f64>(exactPowers + ((<usize>-exponent) << 3))
    if (<u32>exponent <= 22) return <f64>(<i64>digits) * load<f64>(exactPowers + ((<usize>exponent) << 3))
  }
  return nearestByProduct(digits, exponent)
}

/** The double nearest to digits from `first` to `last` with a point among them, of which only 19 can be used. */
function nearestOfMany(first: usize, last: usize, exponent: i32): f64 {
  let digits: u64 = 0
  let total = 0
  let dropped = 0
  for (let at = first; at < last; at++) {
    const digit = <u32>load<u8>(at) - 0x30
    if (digit > 9) continue
    if (total < maxDigits) {
      digits = digits * 10 + digit
      if (digits !== 0) total++
    } else dropped++
  }
  if (dropped === 0) return nearest(digits, exponent)
  const below = nearestByProduct(digits, exponent + dropped)
  const above = nearestByProduct(digits + 1, exponent + dropped)
  return below === above ? below : NaN
}

/** Lemire, "Number parsing at a gigabyte per second" (2021); that no halfway case is missed: Mushtaq, Lemire (2023). */
function nearestByProduct(digits: u64, exponent: i32): f64 {
  if (digits === 0) return 0
  if (exponent < minPower || exponent > maxFinitePower) return NaN
  const zeros = clz<u64>(digits)
  const normal = digits << zeros
  const power = powerHigh(exponent)
  let high = multiplyHigh(normal, power)
  let low = normal * power
  if ((high & 0x1ff) === 0x1ff) {
    const more = multiplyHigh(normal, powerLow(exponent))
    low += more
    if (low < more) high++
  }
  const upper = high >> 63
  const shift = upper + 9
  let mantissa = high >> shift
  let binary = ((217_706 * exponent) >> 16) + 63 + <i32>upper - <i32>zeros + 1023
  if (binary <= 0) {
    if (binary <= -63) return 0
    mantissa >>= <u64>(1 - binary)
    mantissa = (mantissa + (mantissa & 1)) >> 1
    // A subnormal that rounds up to 2^52 is the smallest normal number, by the same bits.
    return reinterpret<f64>(mantissa)
  }
  if (low <= 1 && exponent >= -4 && exponent <= 23 && (mantissa & 3) === 1) {
    // Exactly between two doubles: to the even one.
    if (mantissa << shift === high) mantissa &= ~1
  }
  mantissa = (mantissa + (mantissa & 1)) >> 1
  if (mantissa >= 1 << 53) {
    mantissa = 1 << 52
    binary++
  }
  if (binary >= 0x7ff) return Infinity
  return reinterpret<f64>((mantissa & 0x000f_ffff_ffff_ffff) | ((<u64>binary) << 52))
}
