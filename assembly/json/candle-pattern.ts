import { readNumber } from './decimal'
import { ShortNumber } from './short-number'

/** Longest text between numbers that is compared, in bytes. */
const maxLength: usize = 32
/** Size of a part of the pattern: 32 bytes of text, u32 its length, u32 the bytes that must be equal, u32 an offset. */
const partSize: usize = 48
const lengthAt = 32
const neededAt = 36
const offsetAt = 40
/** Six fields and the end of a candle. */
const maxParts = 7

const parts = memory.data(336, 16)
/** The number of parts; 0 if there is no pattern, −1 if the last candle cannot be a pattern for the next one. */
let count = 0
let isComplete = false

/** Texts between the numbers of a candle. Most candles of a list have the same texts there. */
export class CandlePattern {
  /** Starts a new pattern. */
  static clear(): void {
    count = 0
    isComplete = false
  }

  /** Adds the text [from, to). The number after it is stored `offset` bytes after the start of the candle. */
  static add(from: usize, to: usize, offset: usize): void {
    const length = to - from
    if (length > maxLength || count < 0 || count === maxParts) {
      count = -1
      return
    }
    const part = parts + <usize>count * partSize
    memory.copy(part, from, length)
    store<u32>(part, <u32>length, lengthAt)
    store<u32>(part, length === 32 ? 0xffff_ffff : ((<u32>1) << (<u32>length)) - 1, neededAt)
    store<u32>(part, <u32>offset, offsetAt)
    count++
  }

  /** Adds the text [from, to) at the end of a candle. */
  static end(from: usize, to: usize): void {
    CandlePattern.add(from, to, 0)
    isComplete = count > 0
  }

  /**
   * Reads the numbers of a candle that has the texts of the pattern; returns the address behind it, or 0 for another
   * candle. 32 bytes behind the text may be read, the first 16 of which are zeros.
   */
  static read(at: usize, candle: usize): usize {
    if (!isComplete) return 0
    const last = parts + <usize>(count - 1) * partSize
    for (let part = parts; part < last; part += partSize) {
      if (!CandlePattern.matches(part, at)) return 0
      at += <usize>load<u32>(part, lengthAt)
      const slot = candle + <usize>load<u32>(part, offsetAt)
      const behind = ShortNumber.read(at, slot)
      at = behind !== 0 ? behind : readNumber(at, slot)
      if (at === 0) return 0
    }
    return CandlePattern.matches(last, at) ? at + <usize>load<u32>(last, lengthAt) : 0
  }

  // biome-ignore format: the decorator stays before its method
  @inline
  private static matches(part: usize, at: usize): bool {
    const needed = load<u32>(part, neededAt)
    const first = <u32>i8x16.bitmask(i8x16.eq(v128.load(part), v128.load(at)))
    if (needed <= 0xffff) return (first & needed) === needed
    const second = <u32>i8x16.bitmask(i8x16.eq(v128.load(part, 16), v128.load(at, 16)))
    return ((first | (second << 16)) & needed) === needed
  }
}
