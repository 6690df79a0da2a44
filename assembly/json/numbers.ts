import { readyPowers } from './powers'
import { findShortest, shortestDigits, shortestExponent } from './shortest'

/**
 * 17 digits followed by zeros: space for the 21 digits that are written without an exponent, and for the width of a
 * copy.
 */
const digitsAt = memory.data(64, 16)

const comma: u8 = 0x2c
const minus: u8 = 0x2d
const point: u8 = 0x2e
const zero: u8 = 0x30
const nothing: u32 = 0x6c6c_756e
const zeros: u64 = 0x3030_3030_3030_3030

/**
 * Writes `count` numbers from `column` on at `text` as JSON, in the form of the inside of an array: `1.5,null,-2e+21`. Each is
 * written as JavaScript does it; NaN and the infinities are null. Returns the address behind the text, which needs
 * room for 26 bytes a number, its comma included, and 32 more.
 */
export function writeNumbers(column: usize, count: i32, text: usize): usize {
  readyPowers()
  store<u64>(digitsAt, zeros, 17)
  store<u64>(digitsAt, zeros, 25)
  store<u64>(digitsAt, zeros, 33)
  store<u64>(digitsAt, zeros, 41)
  const end = column + ((<usize>count) << 3)
  for (let at = column; at < end; at += 8) {
    text = writeNumber(load<u64>(at), text)
    store<u8>(text++, comma)
  }
  return count > 0 ? text - 1 : text
}

function writeNumber(bits: u64, text: usize): usize {
  const size = bits & 0x7fff_ffff_ffff_ffff
  if (size >= 0x7ff0_0000_0000_0000) {
    store<u32>(text, nothing)
    return text + 4
  }
  if (size === 0) {
    store<u8>(text, zero)
    return text + 1
  }
  if (size !== bits) store<u8>(text++, minus)
  findShortest(size)
  return writeDecimal(shortestDigits, shortestExponent, text)
}

/** The 8 digits of a number below 10^8 as bytes, the first one lowest. */
function digitBytes(value: u32): u64 {
  const upper = value / 10_000
  const pairs4 = <u64>upper | ((<u64>(value - upper * 10_000)) << 32)
  const hundreds = ((pairs4 * 10_486) >> 20) & 0x0000_007f_0000_007f
  const pairs = hundreds | ((pairs4 - hundreds * 100) << 16)
  const tens = ((pairs * 103) >> 10) & 0x000f_000f_000f_000f
  return tens | ((pairs - tens * 10) << 8)
}

/** Copies 24 digits. Later writes overwrite the digits after the number. */
function copyDigits(from: usize, to: usize): void {
  v128.store(to, v128.load(from))
  store<u64>(to, load<u64>(from, 16), 16)
}

/** Writes digits × 10^exponent, the digits fewer than 18, by the rules of ECMAScript's Number::toString. */
function writeDecimal(digits: u64, exponent: i32, text: usize): usize {
  let first: u32 = 0
  if (digits >= 10_000_000_000_000_000) {
    first = <u32>(digits / 10_000_000_000_000_000)
    digits -= <u64>first * 10_000_000_000_000_000
  }
  const upper = <u32>(digits / 100_000_000)
  const lower = <u32>(digits - <u64>upper * 100_000_000)
  const upperBytes = digitBytes(upper)
  const lowerBytes = digitBytes(lower)
  store<u8>(digitsAt, <u8>first + zero)
  store<u64>(digitsAt, upperBytes + zeros, 1)
  store<u64>(digitsAt, lowerBytes + zeros, 9)
  const leading =
    first !== 0
      ? 0
      : upper !== 0
        ? 1 + (<i32>ctz<u64>(upperBytes) >> 3)
        : 9 + (<i32>ctz<u64>(lowerBytes) >> 3)
  const trailing =
    lower !== 0 ? <i32>clz<u64>(lowerBytes) >> 3 : upper !== 0 ? 8 + (<i32>clz<u64>(upperBytes) >> 3) : 16
  const from = digitsAt + <usize>leading
  const length = 17 - leading - trailing
  // Digits before the decimal point.
  const before = 17 - leading + exponent

  if (before > 0 && before <= 21) {
    copyDigits(from, text)
    if (before >= length) return text + <usize>before
    const behind = text + <usize>before
    store<u8>(behind, point)
    copyDigits(from + <usize>before, behind + 1)
    return text + <usize>(length + 1)
  }
  if (before > -6 && before <= 0) {
    store<u64>(text, zeros)
    store<u8>(text, point, 1)
    const behind = text + <usize>(2 - before)
    copyDigits(from, behind)
    return behind + <usize>length
  }
  store<u8>(text, load<u8>(from))
  let at = text + 1
  if (length > 1) {
    store<u8>(at, point)
    copyDigits(from + 1, at + 1)
    at += <usize>length
  }
  const scale = before - 1
  store<u8>(at, 0x65)
  store<u8>(at, scale < 0 ? minus : 0x2b, 1)
  at += 2
  const shown = <u32>(scale < 0 ? -scale : scale)
  if (shown >= 100) store<u8>(at++, <u8>(shown / 100) + zero)
  if (shown >= 10) store<u8>(at++, <u8>((shown / 10) % 10) + zero)
  store<u8>(at, <u8>(shown % 10) + zero)
  return at + 1
}
