import { Column, Frame } from '../../frame'
import { areLonger, areShorter } from './tie'

/**
 * The methods of `Candles` (candle-shape.ts) for the candles `i` and `i + 1` at once: numbers are pairs, conditions are
 * lane masks. No branch depends on a price, because the outcome could not be predicted.
 *
 * The second lane may lie beyond the last candle; its result is not used (see `Column.setPair`). `sumTenBefore` writes
 * the columns of sums.
 */
@unmanaged
export class CandlePairs extends Frame {
  @inline
  static of(frame: Frame): CandlePairs {
    return changetype<CandlePairs>(frame)
  }

  @inline
  open(i: i32): v128 {
    return this.input(0).pair(i)
  }

  @inline
  high(i: i32): v128 {
    return this.input(1).pair(i)
  }

  @inline
  low(i: i32): v128 {
    return this.input(2).pair(i)
  }

  @inline
  close(i: i32): v128 {
    return this.input(3).pair(i)
  }

  @inline
  isWhite(i: i32): v128 {
    return f64x2.ge(this.close(i), this.open(i))
  }

  @inline
  isBlack(i: i32): v128 {
    return f64x2.lt(this.close(i), this.open(i))
  }

  /** Whether the close lies above the open; a white candle may close where it opened. */
  @inline
  rises(i: i32): v128 {
    return f64x2.gt(this.close(i), this.open(i))
  }

  /** Whether the colours of two candles differ. */
  @inline
  differ(i: i32, other: i32): v128 {
    return v128.xor(this.isWhite(i), this.isWhite(other))
  }

  /** Whether `count` candles up to candle `i` are black. */
  @inline
  areBlack(i: i32, count: i32): v128 {
    let areBlack = this.isBlack(i)
    for (let k = 1; k < count; k++) areBlack = v128.and(areBlack, this.isBlack(i - k))
    return areBlack
  }

  /** Whether `count` candles up to candle `i` are white. */
  @inline
  areWhite(i: i32, count: i32): v128 {
    let areWhite = this.isWhite(i)
    for (let k = 1; k < count; k++) areWhite = v128.and(areWhite, this.isWhite(i - k))
    return areWhite
  }

  /** The sign bit of the colour: clear for a white candle, set for a black one. */
  @inline
  sign(i: i32): v128 {
    return v128.and(f64x2.sub(this.close(i), this.open(i)), f64x2.splat(-0.0))
  }

  @inline
  top(i: i32): v128 {
    return f64x2.pmax(this.open(i), this.close(i))
  }

  @inline
  bottom(i: i32): v128 {
    return f64x2.pmin(this.open(i), this.close(i))
  }

  @inline
  body(i: i32): v128 {
    return f64x2.abs(f64x2.sub(this.close(i), this.open(i)))
  }

  @inline
  range(i: i32): v128 {
    return distances(this.input(2), this.input(1), i)
  }

  @inline
  upperShadow(i: i32): v128 {
    return f64x2.sub(this.high(i), this.top(i))
  }

  @inline
  lowerShadow(i: i32): v128 {
    return f64x2.sub(this.bottom(i), this.low(i))
  }

  @inline
  longerShadow(i: i32): v128 {
    return f64x2.pmax(this.upperShadow(i), this.lowerShadow(i))
  }

  /** The shadow on the side where the candle opens. */
  @inline
  openingShadow(i: i32): v128 {
    return v128.bitselect(this.lowerShadow(i), this.upperShadow(i), this.isWhite(i))
  }

  /** The shadow on the side where the candle closes. */
  @inline
  closingShadow(i: i32): v128 {
    return v128.bitselect(this.upperShadow(i), this.lowerShadow(i), this.isWhite(i))
  }

  @inline
  bodyInside(outer: i32, inner: i32): v128 {
    return v128.and(
      f64x2.lt(this.top(inner), this.top(outer)),
      f64x2.gt(this.bottom(inner), this.bottom(outer)),
    )
  }

  /** Whether the body of `inner` lies inside that of `outer`, ends included. */
  @inline
  bodyWithin(outer: i32, inner: i32): v128 {
    return v128.and(
      f64x2.le(this.top(inner), this.top(outer)),
      f64x2.ge(this.bottom(inner), this.bottom(outer)),
    )
  }

  @inline
  rangeInside(outer: i32, inner: i32): v128 {
    return v128.and(f64x2.lt(this.high(inner), this.high(outer)), f64x2.gt(this.low(inner), this.low(outer)))
  }

  @inline
  stepsUp(earlier: i32, later: i32): v128 {
    return v128.and(
      f64x2.gt(this.high(later), this.high(earlier)),
      f64x2.gt(this.low(later), this.low(earlier)),
    )
  }

  @inline
  stepsDown(earlier: i32, later: i32): v128 {
    return v128.and(
      f64x2.lt(this.high(later), this.high(earlier)),
      f64x2.lt(this.low(later), this.low(earlier)),
    )
  }

  @inline
  bodyGapsUp(earlier: i32, later: i32): v128 {
    return f64x2.gt(this.bottom(later), this.top(earlier))
  }

  @inline
  bodyGapsDown(earlier: i32, later: i32): v128 {
    return f64x2.lt(this.top(later), this.bottom(earlier))
  }

  /** Whether two bodies leave a gap, whichever is higher. */
  @inline
  bodyGaps(earlier: i32, later: i32): v128 {
    return v128.or(this.bodyGapsUp(earlier, later), this.bodyGapsDown(earlier, later))
  }

  /** Whether two candles leave a gap, shadows included, whichever is higher. */
  @inline
  rangeGaps(earlier: i32, later: i32): v128 {
    return v128.or(
      f64x2.gt(this.low(later), this.high(earlier)),
      f64x2.lt(this.high(later), this.low(earlier)),
    )
  }

  @inline
  bodyContains(i: i32, price: v128): v128 {
    return v128.and(f64x2.lt(price, this.top(i)), f64x2.gt(price, this.bottom(i)))
  }

  /** Whether `price` lies in a gap between two bodies, whichever is higher. */
  @inline
  gapContains(earlier: i32, later: i32, price: v128): v128 {
    const above = v128.and(f64x2.gt(price, this.top(earlier)), f64x2.lt(price, this.bottom(later)))
    const below = v128.and(f64x2.lt(price, this.bottom(earlier)), f64x2.gt(price, this.top(later)))
    return v128.or(above, below)
  }

  /** A body longer than the mean of the ten before; `bodies` holds their sums. */
  @inline
  isLong(i: i32, bodies: Column): v128 {
    return areLonger(this.body(i), f64x2.mul(bodies.pair(i), f64x2.splat(0.1)))
  }

  /** A body shorter than the mean of the ten before. */
  @inline
  isSmall(i: i32, bodies: Column): v128 {
    return areShorter(this.body(i), f64x2.mul(bodies.pair(i), f64x2.splat(0.1)))
  }

  /** A tenth of the mean range of the ten before: the longest body of a doji, and more than a very short shadow. */
  @inline
  veryShort(i: i32, ranges: Column): v128 {
    return f64x2.mul(ranges.pair(i), f64x2.splat(0.01))
  }

  @inline
  isDoji(i: i32, ranges: Column): v128 {
    return v128.not(areLonger(this.body(i), this.veryShort(i, ranges)))
  }

  // Conditions that hold wherever the exact ones hold, and a little beyond. They need no division; candles that pass are
  // checked exactly afterwards.

  @inline
  mayBeLong(i: i32, bodies: Column): v128 {
    return f64x2.gt(this.body(i), f64x2.mul(bodies.pair(i), f64x2.splat(0.099)))
  }

  @inline
  mayBeSmall(i: i32, bodies: Column): v128 {
    return f64x2.lt(this.body(i), f64x2.mul(bodies.pair(i), f64x2.splat(0.101)))
  }

  @inline
  mayBeDoji(i: i32, ranges: Column): v128 {
    return f64x2.le(this.body(i), f64x2.mul(ranges.pair(i), f64x2.splat(0.011)))
  }

  @inline
  mayBeShavenHead(i: i32, ranges: Column): v128 {
    return f64x2.lt(this.upperShadow(i), f64x2.mul(ranges.pair(i), f64x2.splat(0.011)))
  }

  @inline
  mayBeShavenBottom(i: i32, ranges: Column): v128 {
    return f64x2.lt(this.lowerShadow(i), f64x2.mul(ranges.pair(i), f64x2.splat(0.011)))
  }

  /** Both shadows shorter than the mean of the twenty shadows of the ten candles before. */
  @inline
  hasShortShadows(i: i32, bodies: Column, ranges: Column): v128 {
    const shadows = f64x2.sub(ranges.pair(i), bodies.pair(i))
    return areShorter(this.longerShadow(i), f64x2.mul(shadows, f64x2.splat(0.05)))
  }

  /** Writes the sum of the bodies of the ten candles before each one in [from, to); `from ≥ 10`. */
  sumBodies(out: Column, from: i32, to: i32): void {
    sumTenBefore(this.input(0), this.input(3), out, from, to)
  }

  /** Writes the sum of the ranges of the ten candles before each one in [from, to); `from ≥ 10`. */
  sumRanges(out: Column, from: i32, to: i32): void {
    sumTenBefore(this.input(2), this.input(1), out, from, to)
  }
}

/** 100 where the mask `fires` is set, 0 elsewhere. */
export function hundred(fires: v128): v128 {
  return v128.and(fires, f64x2.splat(100))
}

/** 100 with the given sign bits where the mask `fires` is set, 0 elsewhere. */
export function signedHundred(fires: v128, sign: v128): v128 {
  return v128.and(fires, v128.or(f64x2.splat(100), sign))
}

/** 100 where `up` is set, −100 where only `down` is, 0 elsewhere. */
export function hundreds(up: v128, down: v128): v128 {
  return v128.bitselect(f64x2.splat(100), v128.and(down, f64x2.splat(-100)), up)
}

/**
 * Writes the sum of |y − x| over the ten candles before each one in [from, to) to the scratch column `out`, whose
 * element `to` may be written as well; `from ≥ 10`. A sum does not depend on `from` and has the order of `tenDistances`
 * (candle-shape.ts), so a long body is the same for every pattern.
 */
export function sumTenBefore(x: Column, y: Column, out: Column, from: i32, to: i32): void {
  // twosK: the distances of candles i − 10 + 2K and i − 8 + 2K, added, for both lanes. Of the ten candles before one,
  // `fives` adds those an even number of candles before it; the others are the fives of the candle after it.
  let newest = distances(x, y, from - 8)
  const twos0 = f64x2.add(distances(x, y, from - 10), newest)
  let next = distances(x, y, from - 6)
  let twos1 = f64x2.add(newest, next)
  newest = distances(x, y, from - 4)
  let twos2 = f64x2.add(next, newest)
  next = distances(x, y, from - 2)
  let twos3 = f64x2.add(newest, next)
  let fives = f64x2.add(f64x2.add(twos0, twos2), next)
  for (let i = from; i < to; i += 2) {
    newest = distances(x, y, i)
    const following = f64x2.add(f64x2.add(twos1, twos3), newest)
    out.setPair(i, neighbours(fives, following))
    fives = following
    twos1 = twos2
    twos2 = twos3
    twos3 = f64x2.add(next, newest)
    next = newest
  }
}

/** The distances of two columns at candles `i` and `i + 1`. */
function distances(x: Column, y: Column, i: i32): v128 {
  return f64x2.abs(f64x2.sub(y.pair(i), x.pair(i)))
}

/** Each lane of `pair` plus the element that follows it. */
export function neighbours(pair: v128, following: v128): v128 {
  return f64x2.add(pair, v128.shuffle<f64>(pair, following, 1, 2))
}
