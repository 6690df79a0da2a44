import { Column, Frame } from '../../frame'
import { isLonger, isShorter } from '../numbers/tie'

/**
 * A frame whose inputs are open, high, low and close, with the parts of a candle as methods. A candle is named by its
 * index; where two candles are compared, the earlier one comes first.
 *
 *    │  upper shadow
 *   ┌┴┐ top      ┐
 *   │ │          │ body    white: close ≥ open
 *   └┬┘ bottom   ┘         black: close < open
 *    │  lower shadow
 *
 * What is long, short or near is measured against the candles before the one in question, by TA-Lib 0.6's default
 * settings. Each mean is computed from its own five or ten candles alone, so older candles have no influence. Lengths
 * are equal but for rounding (numbers/tie.ts): a pattern has the same signals for prices in cents and in dollars.
 *
 * Which end of a body is higher cannot be predicted. The vector minimum and maximum find it without a branch: a pattern
 * over a random walk needs a half to a third of the time that a branch on the two prices needs. `both` evaluates two
 * comparisons, so there is one branch to predict instead of two.
 */
@unmanaged
export class Candles extends Frame {
  @inline
  static of(frame: Frame): Candles {
    return changetype<Candles>(frame)
  }

  @inline
  open(i: i32): f64 {
    return this.input(0)[i]
  }

  @inline
  high(i: i32): f64 {
    return this.input(1)[i]
  }

  @inline
  low(i: i32): f64 {
    return this.input(2)[i]
  }

  @inline
  close(i: i32): f64 {
    return this.input(3)[i]
  }

  @inline
  isWhite(i: i32): bool {
    return this.close(i) >= this.open(i)
  }

  @inline
  isBlack(i: i32): bool {
    return this.close(i) < this.open(i)
  }

  @inline
  sameColour(i: i32, other: i32): bool {
    return this.isWhite(i) === this.isWhite(other)
  }

  /** 1 for a white candle, −1 for a black one. */
  @inline
  colour(i: i32): f64 {
    return copysign<f64>(1, this.close(i) - this.open(i))
  }

  /** The upper end of the body. */
  @inline
  top(i: i32): f64 {
    return f64x2.extract_lane(f64x2.pmax(f64x2.splat(this.open(i)), f64x2.splat(this.close(i))), 0)
  }

  /** The lower end of the body. */
  @inline
  bottom(i: i32): f64 {
    return f64x2.extract_lane(f64x2.pmin(f64x2.splat(this.open(i)), f64x2.splat(this.close(i))), 0)
  }

  @inline
  body(i: i32): f64 {
    return abs(this.close(i) - this.open(i))
  }

  @inline
  range(i: i32): f64 {
    return this.high(i) - this.low(i)
  }

  @inline
  upperShadow(i: i32): f64 {
    return this.high(i) - this.top(i)
  }

  @inline
  lowerShadow(i: i32): f64 {
    return this.bottom(i) - this.low(i)
  }

  @inline
  longerShadow(i: i32): f64 {
    return f64x2.extract_lane(
      f64x2.pmax(f64x2.splat(this.upperShadow(i)), f64x2.splat(this.lowerShadow(i))),
      0,
    )
  }

  /** The shadow on the side where the candle opens: the lower one of a white candle. */
  @inline
  openingShadow(i: i32): f64 {
    return this.shadowOf(i, this.lowerShadow(i), this.upperShadow(i))
  }

  /** The shadow on the side where the candle closes: the upper one of a white candle. */
  @inline
  closingShadow(i: i32): f64 {
    return this.shadowOf(i, this.upperShadow(i), this.lowerShadow(i))
  }

  /** Whether `price` lies inside the body, not on its edge. */
  @inline
  bodyContains(i: i32, price: f64): bool {
    return both(price < this.top(i), price > this.bottom(i))
  }

  /** Whether the body of `inner` lies strictly inside the body of `outer`. */
  @inline
  bodyInside(outer: i32, inner: i32): bool {
    return both(this.top(inner) < this.top(outer), this.bottom(inner) > this.bottom(outer))
  }

  /** Whether the range of `inner` lies strictly inside that of `outer`. */
  @inline
  rangeInside(outer: i32, inner: i32): bool {
    return both(this.high(inner) < this.high(outer), this.low(inner) > this.low(outer))
  }

  /** Whether a part of the body of candle `i` lies inside the range of `other`. */
  @inline
  bodyMeetsRange(i: i32, other: i32): bool {
    return both(this.bottom(i) < this.high(other), this.top(i) > this.low(other))
  }

  /** Whether both the high and the low of the later candle are higher. */
  @inline
  stepsUp(earlier: i32, later: i32): bool {
    return both(this.high(later) > this.high(earlier), this.low(later) > this.low(earlier))
  }

  /** Whether both the high and the low of the later candle are lower. */
  @inline
  stepsDown(earlier: i32, later: i32): bool {
    return both(this.high(later) < this.high(earlier), this.low(later) < this.low(earlier))
  }

  /** Whether the later candle lies above the earlier one, shadows included. */
  @inline
  gapsUp(earlier: i32, later: i32): bool {
    return this.low(later) > this.high(earlier)
  }

  /** Whether the later candle lies below the earlier one, shadows included. */
  @inline
  gapsDown(earlier: i32, later: i32): bool {
    return this.high(later) < this.low(earlier)
  }

  /** Whether the later body lies above the earlier one. */
  @inline
  bodyGapsUp(earlier: i32, later: i32): bool {
    return this.bottom(later) > this.top(earlier)
  }

  /** Whether the later body lies below the earlier one. */
  @inline
  bodyGapsDown(earlier: i32, later: i32): bool {
    return this.top(later) < this.bottom(earlier)
  }

  /** Whether `price` lies in the gap that the later body leaves above the earlier one. */
  @inline
  gapUpContains(earlier: i32, later: i32, price: f64): bool {
    return both(price > this.top(earlier), price < this.bottom(later))
  }

  /** Whether `price` lies in the gap that the later body leaves below the earlier one. */
  @inline
  gapDownContains(earlier: i32, later: i32, price: f64): bool {
    return both(price < this.bottom(earlier), price > this.top(later))
  }

  /** A body longer than the mean of the ten before. */
  isLong(i: i32): bool {
    return isLonger(this.body(i), this.bodies(i) / 10)
  }

  /** A body longer than three times the mean of the ten before. */
  isVeryLong(i: i32): bool {
    return isLonger(this.body(i), 3 * (this.bodies(i) / 10))
  }

  /** A body no longer than the mean of the ten before. */
  isShort(i: i32): bool {
    return !isLonger(this.body(i), this.bodies(i) / 10)
  }

  /** A body shorter than the mean of the ten before. */
  isSmall(i: i32): bool {
    return isShorter(this.body(i), this.bodies(i) / 10)
  }

  /** A body no longer than a doji's. */
  isDoji(i: i32): bool {
    return !isLonger(this.body(i), this.veryShort(i))
  }

  /** The longest body of a doji: a tenth of the mean range of the ten candles before. */
  @inline
  longestDoji(i: i32): f64 {
    return this.veryShort(i)
  }

  /** A shadow is long when it exceeds this: the candle's own body. */
  @inline
  longShadow(i: i32): f64 {
    return this.body(i)
  }

  /** A shadow is very long when it exceeds this: twice the candle's own body. */
  @inline
  veryLongShadow(i: i32): f64 {
    return 2 * this.body(i)
  }

  /** A shadow is short when it is below this: the mean of the twenty shadows of the ten candles before. */
  shortShadow(i: i32): f64 {
    return (this.ranges(i) - this.bodies(i)) / 10 / 2
  }

  /** A shadow is very short when it is below this. */
  @inline
  veryShortShadow(i: i32): f64 {
    return this.veryShort(i)
  }

  /** A very short upper shadow. */
  hasShavenHead(i: i32): bool {
    return isShorter(this.upperShadow(i), this.veryShort(i))
  }

  /** A very short lower shadow. */
  hasShavenBottom(i: i32): bool {
    return isShorter(this.lowerShadow(i), this.veryShort(i))
  }

  /** Very short shadows on both sides. */
  isShaven(i: i32): bool {
    return isShorter(this.longerShadow(i), this.veryShort(i))
  }

  /** Short shadows on both sides. */
  hasShortShadows(i: i32): bool {
    return isShorter(this.longerShadow(i), this.shortShadow(i))
  }

  /** A long body with very short shadows. */
  isMarubozu(i: i32): bool {
    return this.isShaven(i) && this.isLong(i)
  }

  /** A long body with a very short shadow on the side where the candle opens. */
  isBeltHold(i: i32): bool {
    return isShorter(this.openingShadow(i), this.veryShort(i)) && this.isLong(i)
  }

  /** Whether the later candle opens inside the earlier body or near one of its ends. */
  opensNearBody(earlier: i32, later: i32): bool {
    const near = this.near(earlier)
    const open = this.open(later)
    return !isLonger(this.bottom(earlier) - open, near) && !isLonger(open - this.top(earlier), near)
  }

  /** Whether the later candle opens inside the earlier white body or near its upper end. */
  opensOnBody(earlier: i32, later: i32): bool {
    const open = this.open(later)
    return open > this.open(earlier) && !isLonger(open - this.close(earlier), this.near(earlier))
  }

  /** Two prices are near when they are at most this far apart. */
  near(i: i32): f64 {
    return 0.2 * this.recentRange(i)
  }

  /** Two prices are far when they are at least this far apart. */
  far(i: i32): f64 {
    return 0.6 * this.recentRange(i)
  }

  /** Two prices count as equal when they are at most this far apart. */
  equal(i: i32): f64 {
    return 0.05 * this.recentRange(i)
  }

  @inline
  private shadowOf(i: i32, ofWhite: f64, ofBlack: f64): f64 {
    const isWhite = f64x2.ge(f64x2.splat(this.close(i)), f64x2.splat(this.open(i)))
    return f64x2.extract_lane(v128.bitselect(f64x2.splat(ofWhite), f64x2.splat(ofBlack), isWhite), 0)
  }

  /** A tenth of the mean range of the ten candles before. */
  @inline
  private veryShort(i: i32): f64 {
    return 0.1 * (this.ranges(i) / 10)
  }

  /** Sum of the bodies of the ten candles before. */
  @inline
  private bodies(i: i32): f64 {
    return tenDistances(this.input(0), this.input(3), i)
  }

  /** Sum of the ranges of the ten candles before. */
  @inline
  private ranges(i: i32): f64 {
    return tenDistances(this.input(2), this.input(1), i)
  }

  /** The mean range of the five candles before. */
  @inline
  private recentRange(i: i32): f64 {
    return fiveDistances(this.input(2), this.input(1), i) / 5
  }
}

/** Whether `price` is at most `distance` away from `target`. */
export function within(price: f64, target: f64, distance: f64): bool {
  return !isLonger(abs(price - target), distance)
}

/** Whether both conditions hold; both are evaluated. */
function both(one: bool, other: bool): bool {
  return (one & other) as bool
}

/** Sum of the distances of two columns over the five candles before candle `i`. */
function fiveDistances(x: Column, y: Column, i: i32): f64 {
  const pairs = f64x2.add(distancePair(x, y, i - 5), distancePair(x, y, i - 3))
  return f64x2.extract_lane(pairs, 0) + f64x2.extract_lane(pairs, 1) + abs(y[i - 1] - x[i - 1])
}

/** Sum of the distances of two columns over the ten candles before candle `i`. */
function tenDistances(x: Column, y: Column, i: i32): f64 {
  const oldest = f64x2.add(distancePair(x, y, i - 10), distancePair(x, y, i - 8))
  const newest = f64x2.add(distancePair(x, y, i - 6), distancePair(x, y, i - 4))
  const pairs = f64x2.add(f64x2.add(oldest, newest), distancePair(x, y, i - 2))
  return f64x2.extract_lane(pairs, 0) + f64x2.extract_lane(pairs, 1)
}

/** The distances of two columns at candles `i` and `i + 1`. */
function distancePair(x: Column, y: Column, i: i32): v128 {
  return f64x2.abs(f64x2.sub(y.pair(i), x.pair(i)))
}
