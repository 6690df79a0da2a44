import { CandlePattern } from './candle-pattern'
import { readNumber } from './decimal'
import { readyPowers } from './powers'

/** `candles"`, `open"`, … as they lie in memory. */
const candlesKey: u64 = 0x2273_656c_646e_6163
const timestampKey: u64 = 0x6d61_7473_656d_6974
const volumeKey: u64 = 0x22_656d_756c_6f76
const closeKey: u64 = 0x2265_736f_6c63
const openKey: u64 = 0x22_6e65_706f
const highKey: u64 = 0x22_6867_6968
const lowKey: u64 = 0x2277_6f6c

/** Latest timestamp in seconds; a larger one is in another unit: src/contract/supplied-candles.ts. */
const latestSeconds: f64 = 1e11

const named = 0b111111
const timed = 1

function skipSpace(at: usize): usize {
  let character = load<u8>(at)
  if (character > 0x20) return at
  while (character === 0x20 || character === 0x0a || character === 0x0d || character === 0x09)
    character = load<u8>(++at)
  return at
}

/**
 * Code of the key that begins at `at`, in its short or long spelling: 8 × length with the closing quote + column; 0 for
 * other keys.
 */
function columnOf(at: usize): i32 {
  const key = load<u64>(at)
  const isShort = (<u32>key & 0xff00) === 0x2200
  switch (<u32>key & 0xff) {
    case 0x74:
      if (isShort) return 2 << 3
      return key === timestampKey && load<u16>(at, 8) === 0x2270 ? 10 << 3 : 0
    case 0x6f:
      if (isShort) return (2 << 3) | 1
      return (key & 0xff_ffff_ffff) === openKey ? (5 << 3) | 1 : 0
    case 0x68:
      if (isShort) return (2 << 3) | 2
      return (key & 0xff_ffff_ffff) === highKey ? (5 << 3) | 2 : 0
    case 0x6c:
      if (isShort) return (2 << 3) | 3
      return (key & 0xffff_ffff) === lowKey ? (4 << 3) | 3 : 0
    case 0x63:
      if (isShort) return (2 << 3) | 4
      return (key & 0xffff_ffff_ffff) === closeKey ? (6 << 3) | 4 : 0
    case 0x76:
      if (isShort) return (2 << 3) | 5
      return (key & 0xff_ffff_ffff_ffff) === volumeKey ? (7 << 3) | 5 : 0
    default:
      return 0
  }
}

/** Address after the closing quote of a plain ASCII string, or 0 if the string is not plain. */
function skipString(at: usize): usize {
  let character = load<u8>(at)
  while (character !== 0x22) {
    if (character === 0x5c || character < 0x20 || character >= 0x80) return 0
    character = load<u8>(++at)
  }
  return at + 1
}

/** Address after a value that is not a field of a candle, or 0 if the value is nested or not plain. */
function skipValue(at: usize, slot: usize): usize {
  switch (<u32>load<u8>(at)) {
    case 0x22:
      return skipString(at + 1)
    case 0x74:
      return load<u32>(at) === 0x6575_7274 ? at + 4 : 0
    case 0x6e:
      return load<u32>(at) === 0x6c6c_756e ? at + 4 : 0
    case 0x66:
      return load<u32>(at, 1) === 0x6573_6c61 ? at + 5 : 0
    default:
      return readNumber(at, slot)
  }
}

/**
 * Finds the next array under a key "candles", at any depth, in the JSON text [at, to). Returns the address of its
 * bracket, `to` without an array, 0 if a string has an escape or no end. It only distinguishes
 * strings from the rest and does not check that the text is JSON. 16 bytes of zeros follow the text.
 */
export function findCandles(at: usize, to: usize): usize {
  while (at < to) {
    if (load<u8>(at++) !== 0x22) continue
    const begin = at
    let character = load<u8>(at++)
    while (character !== 0x22) {
      if (character === 0x5c || character < 0x20) return 0
      character = load<u8>(at++)
    }
    if (at - begin !== 8 || load<u64>(begin) !== candlesKey) continue
    const colon = skipSpace(at)
    if (load<u8>(colon) !== 0x3a) continue
    const bracket = skipSpace(colon + 1)
    if (load<u8>(bracket) === 0x5b) return bracket
  }
  return to
}

/**
 * Reads the array of candles whose bracket is at `at` into columns. Returns the number of candles, or 0 for anything
 * unusual or wrong: the caller then reads the text with a JSON parser and checks it by the rules of supplied candles,
 * which find the error. Candles are flat objects in the long or the short spelling; other keys with plain values are
 * skipped where candles have times. 32 bytes behind the text may be read, the first 16 of which are zeros.
 *
 *   place  u32 the address behind the array, u32 unused, f64 scratch,
 *          then timestamp │ open │ high │ low │ close │ volume, each as long as there are candles;
 *          room for `maxCandles` candles
 */
export function readCandles(at: usize, place: usize, maxCandles: i32): i32 {
  readyPowers()
  CandlePattern.clear()
  const columns = place + 16
  const stride = (<usize>maxCandles) << 3
  let count = 0
  let isTimed = false
  let before: f64 = -1
  at++
  while (true) {
    const candle = columns + ((<usize>count) << 3)
    const alike = count < maxCandles ? CandlePattern.read(at, candle) : 0
    if (alike !== 0) at = alike
    else {
      const begin = at
      at = skipSpace(at)
      if (count > 0) {
        const after = load<u8>(at)
        if (after === 0x5d) break
        if (after !== 0x2c) return 0
        at = skipSpace(at + 1)
      }
      if (load<u8>(at) !== 0x7b || count === maxCandles) return 0
      at = readCandle(at, begin, candle, stride, place + 8)
      if (at === 0) return 0
      if (count === 0) isTimed = (seen & timed) !== 0
      // The time may have another name, which is a mistake.
      if (!isTimed && hasOthers) return 0
      if (seen !== (isTimed ? named : named & ~timed)) return 0
    }

    if (load<f64>(candle + stride * 2) < load<f64>(candle + stride * 3)) return 0
    if (load<f64>(candle + stride * 5) < 0) return 0
    if (isTimed) {
      const time = load<f64>(candle)
      if (!(time > before && time >= 0 && time <= latestSeconds) || trunc(time) !== time) return 0
      before = time
    } else store<f64>(candle, <f64>count)
    count++
  }
  store<u32>(place, <u32>(at + 1))
  packColumns(columns, stride, (<usize>count) << 3)
  return count
}

/** The columns of the fields of the candle that was read last. */
let seen = 0
/** Whether the candle that was read last has fields of other names. */
let hasOthers = false

/**
 * Reads the candle whose brace is at `at` into `candle`, other numbers into `scratch`; returns the address after it, or
 * 0 for anything unusual or wrong. The texts of this candle from `begin` on become the pattern of the next candles.
 */
function readCandle(at: usize, begin: usize, candle: usize, stride: usize, scratch: usize): usize {
  CandlePattern.clear()
  seen = 0
  hasOthers = false
  while (true) {
    at = skipSpace(at + 1)
    if (load<u8>(at) !== 0x22) return 0
    const key = columnOf(++at)
    if (key === 0) {
      hasOthers = true
      at = skipString(at)
      if (at === 0) return 0
    } else at += key >> 3
    at = skipSpace(at)
    if (load<u8>(at) !== 0x3a) return 0
    at = skipSpace(at + 1)
    if (key !== 0) {
      const column = key & 7
      const bit = 1 << column
      if (seen & bit) return 0
      seen |= bit
      const offset = stride * <usize>column
      CandlePattern.add(begin, at, offset)
      at = readNumber(at, candle + offset)
      begin = at
    } else at = skipValue(at, scratch)
    if (at === 0) return 0
    at = skipSpace(at)
    const after = load<u8>(at)
    if (after === 0x2c) continue
    if (after !== 0x7d) return 0
    CandlePattern.end(begin, ++at)
    return at
  }
}

/** Moves columns of `size` bytes, which begin `stride` bytes apart, close together. */
function packColumns(columns: usize, stride: usize, size: usize): void {
  for (let k: usize = 1; k < 6; k++) memory.copy(columns + k * size, columns + k * stride, size)
}
