import { exactPowers } from './powers'

const point: u8 = 0x2e
const zero: u8 = 0x30

/**
 * Numbers of at most 15 characters without sign and exponent, as most prices and volumes are. All digits are read at
 * once, and the result is exact: fewer than 16 digits, divided by a power of ten that is a double (Clinger 1990).
 */
export class ShortNumber {
  /**
   * Reads the number at `at` into `slot`; returns the address behind it, or 0 for anything else. The next character may
   * begin the exponent of a longer number, which the caller checks. 16 bytes from `at` on may be read.
   */
  // biome-ignore format: the decorator stays before its method
  @inline
  static read(at: usize, slot: usize): usize {
    const values = i8x16.sub(v128.load(at), i8x16.splat(0x30))
    const isDigit = i8x16.bitmask(i8x16.lt_u(values, i8x16.splat(10)))
    const whole = <i32>ctz<u32>(~isDigit)
    let decimals = 0
    let length = whole
    if (load<u8>(at + <usize>whole) === point) {
      decimals = <i32>ctz<u32>(~(isDigit >> (whole + 1)))
      if (decimals === 0) return 0
      length += decimals + 1
    }
    if (length > 15 || whole === 0 || (whole !== 1 && load<u8>(at) === zero)) return 0

    // The digits move to the end, those before the point by one byte more; zeros lead them.
    const places = i8x16.sub(
      i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
      i8x16.splat(<i8>(16 - whole - decimals)),
    )
    const digits = i8x16.swizzle(
      values,
      i8x16.sub(places, i8x16.gt_s(places, i8x16.splat(<i8>(whole - 1)))),
    )
    const pairs = i16x8.add(
      i16x8.mul(v128.and(digits, i16x8.splat(0xff)), i16x8.splat(10)),
      i16x8.shr_u(digits, 8),
    )
    const fours = i32x4.dot_i16x8_s(pairs, i16x8(100, 1, 100, 1, 100, 1, 100, 1))
    const eights = i32x4.dot_i16x8_s(
      i16x8.narrow_i32x4_s(fours, fours),
      i16x8(10_000, 1, 10_000, 1, 10_000, 1, 10_000, 1),
    )
    const number = <i64>i32x4.extract_lane(eights, 0) * 100_000_000 + <i64>i32x4.extract_lane(eights, 1)
    store<f64>(slot, <f64>number / load<f64>(exactPowers + ((<usize>decimals) << 3)))
    return at + <usize>length
  }
}
