import { Column } from '../../frame'
import { CandlePairs } from '../numbers/simd'
import { areLonger, areShorter } from '../numbers/tie'

/**
 * Marks of up to 64 candles, one bit a candle: bit n of a mark belongs to the n-th candle. Joining marks evaluates a
 * condition for all candles at once. A mark that compares two candles compares each candle with the previous one. The terms
 * and the results are those of `Candles` (candle-shape.ts).
 */
@unmanaged
export class CandleMarks {
  white: u64
  black: u64
  /** A body longer than the mean of the ten before. */
  long: u64
  /** A body shorter than that mean. */
  small: u64
  doji: u64
  shavenHead: u64
  shavenBottom: u64
  shortShadows: u64
  /** An upper or a lower shadow longer than the body. */
  upperShadow: u64
  lowerShadow: u64
  /** Both shadows longer than twice the body. */
  veryLongShadows: u64
  gapUp: u64
  gapDown: u64
  stepUp: u64
  stepDown: u64
  /** The range lies inside the one before, or goes beyond both ends of it. */
  inside: u64
  outside: u64
  /** The open lies above the high or below the low before. */
  opensAbove: u64
  opensBelow: u64
  /** The low lies above the close before. */
  staysAbove: u64
  bodyGapUp: u64
  bodyGapDown: u64
  /** The body lies within the one before, or around it; they may meet at their ends. */
  bodyWithin: u64
  bodyAround: u64
  /** The same where they meet at no end. */
  bodyInside: u64
  bodyOutside: u64
  closesHigher: u64
  closesLower: u64
  /** The open lies above or below the close before. */
  opensHigher: u64
  opensLower: u64
  /** The difference to the previous candle is at most `Candles.equal` of that candle, or slightly more. */
  closesNear: u64
  highsNear: u64
  lowsNear: u64
  opensNear: u64

  /** Size of a set of marks in numbers. Even, because marks are shifted in pairs. */
  static readonly size: i32 = 34

  @inline
  static of(column: Column): CandleMarks {
    return changetype<CandleMarks>(column)
  }

  /** A body no longer than the mean of the ten before. */
  @inline
  get short(): u64 {
    return ~this.long
  }

  /** Very short shadows on both sides. */
  @inline
  get shaven(): u64 {
    return this.shavenHead & this.shavenBottom
  }

  /**
   * Marks the candles [from, to), at most 64, the first with bit 0; other bits are undefined. Reads ten candles back,
   * so `from ≥ 10`. `bodies` and `ranges` are scratch columns.
   */
  mark(candles: CandlePairs, from: i32, to: i32, bodies: Column, ranges: Column): void {
    candles.sumBodies(bodies, from, to)
    candles.sumRanges(ranges, from, to)
    this.markShapes(candles, from, to, bodies, ranges)
    this.markRanges(candles, from, to)
    this.markBodies(candles, from, to)
    this.markPrices(candles, from, to, ranges)
  }

  /** The same marks with bit n for the candle `count` before the n-th one. */
  shift(count: i32, to: CandleMarks): void {
    const words = changetype<Column>(this)
    const shifted = changetype<Column>(to)
    for (let k = 0; k < CandleMarks.size; k += 2) shifted.setPair(k, i64x2.shl(words.pair(k), count))
  }

  private markShapes(candles: CandlePairs, from: i32, to: i32, bodies: Column, ranges: Column): void {
    let white = f64x2.splat(0)
    let long = white
    let small = white
    let doji = white
    let shavenHead = white
    let shavenBottom = white
    let shortShadows = white
    let upperShadow = white
    let lowerShadow = white
    let veryLongShadows = white
    let bits = i64x2(1, 2)
    for (let i = from; i < to; i += 2) {
      const body = candles.body(i)
      const upper = candles.upperShadow(i)
      const lower = candles.lowerShadow(i)
      const veryShort = candles.veryShort(i, ranges)
      white = marked(white, candles.isWhite(i), bits)
      long = marked(long, candles.isLong(i, bodies), bits)
      small = marked(small, candles.isSmall(i, bodies), bits)
      doji = marked(doji, candles.isDoji(i, ranges), bits)
      shavenHead = marked(shavenHead, areShorter(upper, veryShort), bits)
      shavenBottom = marked(shavenBottom, areShorter(lower, veryShort), bits)
      shortShadows = marked(shortShadows, candles.hasShortShadows(i, bodies, ranges), bits)
      upperShadow = marked(upperShadow, areLonger(upper, body), bits)
      lowerShadow = marked(lowerShadow, areLonger(lower, body), bits)
      const twice = f64x2.mul(f64x2.splat(2), body)
      veryLongShadows = marked(veryLongShadows, areLonger(f64x2.pmin(upper, lower), twice), bits)
      bits = i64x2.shl(bits, 2)
    }
    this.white = word(white)
    this.black = ~this.white
    this.long = word(long)
    this.small = word(small)
    this.doji = word(doji)
    this.shavenHead = word(shavenHead)
    this.shavenBottom = word(shavenBottom)
    this.shortShadows = word(shortShadows)
    this.upperShadow = word(upperShadow)
    this.lowerShadow = word(lowerShadow)
    this.veryLongShadows = word(veryLongShadows)
  }

  private markRanges(candles: CandlePairs, from: i32, to: i32): void {
    let highUp = f64x2.splat(0)
    let highDown = highUp
    let lowUp = highUp
    let lowDown = highUp
    let gapUp = highUp
    let gapDown = highUp
    let opensAbove = highUp
    let opensBelow = highUp
    let staysAbove = highUp
    let bits = i64x2(1, 2)
    for (let i = from; i < to; i += 2) {
      const high = candles.high(i)
      const low = candles.low(i)
      const open = candles.open(i)
      const highBefore = candles.high(i - 1)
      const lowBefore = candles.low(i - 1)
      highUp = marked(highUp, f64x2.gt(high, highBefore), bits)
      highDown = marked(highDown, f64x2.lt(high, highBefore), bits)
      lowUp = marked(lowUp, f64x2.gt(low, lowBefore), bits)
      lowDown = marked(lowDown, f64x2.lt(low, lowBefore), bits)
      gapUp = marked(gapUp, f64x2.gt(low, highBefore), bits)
      gapDown = marked(gapDown, f64x2.lt(high, lowBefore), bits)
      opensAbove = marked(opensAbove, f64x2.gt(open, highBefore), bits)
      opensBelow = marked(opensBelow, f64x2.lt(open, lowBefore), bits)
      staysAbove = marked(staysAbove, f64x2.gt(low, candles.close(i - 1)), bits)
      bits = i64x2.shl(bits, 2)
    }
    this.gapUp = word(gapUp)
    this.gapDown = word(gapDown)
    this.stepUp = word(v128.and(highUp, lowUp))
    this.stepDown = word(v128.and(highDown, lowDown))
    this.inside = word(v128.and(highDown, lowUp))
    this.outside = word(v128.and(highUp, lowDown))
    this.opensAbove = word(opensAbove)
    this.opensBelow = word(opensBelow)
    this.staysAbove = word(staysAbove)
  }

  private markBodies(candles: CandlePairs, from: i32, to: i32): void {
    let gapUp = f64x2.splat(0)
    let gapDown = gapUp
    let topUp = gapUp
    let topDown = gapUp
    let bottomUp = gapUp
    let bottomDown = gapUp
    let bits = i64x2(1, 2)
    for (let i = from; i < to; i += 2) {
      const top = candles.top(i)
      const bottom = candles.bottom(i)
      const topBefore = candles.top(i - 1)
      const bottomBefore = candles.bottom(i - 1)
      gapUp = marked(gapUp, f64x2.gt(bottom, topBefore), bits)
      gapDown = marked(gapDown, f64x2.lt(top, bottomBefore), bits)
      topUp = marked(topUp, f64x2.gt(top, topBefore), bits)
      topDown = marked(topDown, f64x2.lt(top, topBefore), bits)
      bottomUp = marked(bottomUp, f64x2.gt(bottom, bottomBefore), bits)
      bottomDown = marked(bottomDown, f64x2.lt(bottom, bottomBefore), bits)
      bits = i64x2.shl(bits, 2)
    }
    this.bodyGapUp = word(gapUp)
    this.bodyGapDown = word(gapDown)
    this.bodyWithin = ~(word(topUp) | word(bottomDown))
    this.bodyAround = ~(word(topDown) | word(bottomUp))
    this.bodyInside = word(topDown) & word(bottomUp)
    this.bodyOutside = word(topUp) & word(bottomDown)
  }

  private markPrices(candles: CandlePairs, from: i32, to: i32, ranges: Column): void {
    let closesHigher = f64x2.splat(0)
    let closesLower = closesHigher
    let opensHigher = closesHigher
    let opensLower = closesHigher
    let closesNear = closesHigher
    let highsNear = closesHigher
    let lowsNear = closesHigher
    let opensNear = closesHigher
    let bits = i64x2(1, 2)
    for (let i = from; i < to; i += 2) {
      const before = i - 1
      const open = candles.open(i)
      const close = candles.close(i)
      const closeBefore = candles.close(before)
      // A hundredth of five ranges, which are among these ten; more than rounding can change.
      const rounding = f64x2.mul(f64x2.splat(1e-15), f64x2.abs(closeBefore))
      const equal = f64x2.add(f64x2.mul(f64x2.splat(0.011), ranges.pair(i)), rounding)
      closesHigher = marked(closesHigher, f64x2.gt(close, closeBefore), bits)
      closesLower = marked(closesLower, f64x2.lt(close, closeBefore), bits)
      opensHigher = marked(opensHigher, f64x2.gt(open, closeBefore), bits)
      opensLower = marked(opensLower, f64x2.lt(open, closeBefore), bits)
      closesNear = marked(closesNear, near(close, closeBefore, equal), bits)
      highsNear = marked(highsNear, near(candles.high(i), candles.high(before), equal), bits)
      lowsNear = marked(lowsNear, near(candles.low(i), candles.low(before), equal), bits)
      opensNear = marked(opensNear, near(open, candles.open(before), equal), bits)
      bits = i64x2.shl(bits, 2)
    }
    this.closesHigher = word(closesHigher)
    this.closesLower = word(closesLower)
    this.opensHigher = word(opensHigher)
    this.opensLower = word(opensLower)
    this.closesNear = word(closesNear)
    this.highsNear = word(highsNear)
    this.lowsNear = word(lowsNear)
    this.opensNear = word(opensNear)
  }
}

/** Whether two prices are at most `distance` apart. */
function near(price: v128, other: v128, distance: v128): v128 {
  return f64x2.le(f64x2.abs(f64x2.sub(price, other)), distance)
}

/** Two marks, of the candles with even and with odd numbers, and the bits of the lanes in which `holds` is set. */
function marked(marks: v128, holds: v128, bits: v128): v128 {
  return v128.or(marks, v128.and(holds, bits))
}

/** Both marks as one. */
function word(marks: v128): u64 {
  return i64x2.extract_lane(marks, 0) | i64x2.extract_lane(marks, 1)
}
