import { Column, Frame } from '../frame'

/**
 * A frame whose inputs are open, high, low and close, read as a chartist reads candles. A candle is named by its
 * index; where two candles are compared, the earlier one comes first.
 *
 *    │  upper shadow
 *   ┌┴┐ top      ┐
 *   │ │          │ body    white: close ≥ open
 *   └┬┘ bottom   ┘         black: close < open
 *    │  lower shadow
 *
 * What is long, short or near is measured against the candles before the one in question, by TA-Lib 0.6's default
 * settings. Each mean is taken anew over its own five or ten candles: nothing older leaves a trace.
 *
 * Which end of a body is higher is as good as a coin toss. The vector minimum and maximum find it without a branch:
 * a pattern over a random walk takes a half to a third of the time that a choice between the two prices takes.
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

  /** Whether `price` lies inside the body, not on its edge. */
  @inline
  bodyHolds(i: i32, price: f64): bool {
    return price < this.top(i) && price > this.bottom(i)
  }

  /** Whether the body of `inner` lies inside the body of `outer` and meets neither end of it. */
  @inline
  bodyInside(outer: i32, inner: i32): bool {
    return this.top(inner) < this.top(outer) && this.bottom(inner) > this.bottom(outer)
  }

  /** Whether `inner` lies inside the range of `outer` and meets neither end of it. */
  @inline
  rangeInside(outer: i32, inner: i32): bool {
    return this.high(inner) < this.high(outer) && this.low(inner) > this.low(outer)
  }

  /** Whether a part of the body of candle `i` lies inside the range of `other`. */
  @inline
  bodyMeetsRange(i: i32, other: i32): bool {
    return this.bottom(i) < this.high(other) && this.top(i) > this.low(other)
  }

  /** Whether both the high and the low of the later candle are higher. */
  @inline
  stepsUp(earlier: i32, later: i32): bool {
    return this.high(later) > this.high(earlier) && this.low(later) > this.low(earlier)
  }

  /** Whether both the high and the low of the later candle are lower. */
  @inline
  stepsDown(earlier: i32, later: i32): bool {
    return this.high(later) < this.high(earlier) && this.low(later) < this.low(earlier)
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

  /** A body longer than the mean of the ten before. */
  isLong(i: i32): bool {
    return this.body(i) > this.bodies(i) / 10
  }

  /** A body longer than three times the mean of the ten before. */
  isVeryLong(i: i32): bool {
    return this.body(i) > 3 * (this.bodies(i) / 10)
  }

  /** A body no longer than the mean of the ten before. */
  isShort(i: i32): bool {
    return !(this.body(i) > this.bodies(i) / 10)
  }

  /** A body shorter than the mean of the ten before. */
  isSmall(i: i32): bool {
    return this.body(i) < this.bodies(i) / 10
  }

  /** A body no longer than a doji's. */
  isDoji(i: i32): bool {
    return this.body(i) <= this.trifle(i)
  }

  /** The longest body of a doji: a tenth of the mean range of the ten candles before. */
  @inline
  longestDoji(i: i32): f64 {
    return this.trifle(i)
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
    return (this.ranges(i, 10) - this.bodies(i)) / 10 / 2
  }

  /** A shadow is very short when it is below this. */
  @inline
  veryShortShadow(i: i32): f64 {
    return this.trifle(i)
  }

  /** Next to no upper shadow. */
  hasShavenHead(i: i32): bool {
    return this.upperShadow(i) < this.trifle(i)
  }

  /** Next to no lower shadow. */
  hasShavenBottom(i: i32): bool {
    return this.lowerShadow(i) < this.trifle(i)
  }

  /** Next to no shadow on either side. */
  isShaven(i: i32): bool {
    const trifle = this.trifle(i)
    return this.upperShadow(i) < trifle && this.lowerShadow(i) < trifle
  }

  /** Short shadows on both sides. */
  hasShortShadows(i: i32): bool {
    const short = this.shortShadow(i)
    return this.upperShadow(i) < short && this.lowerShadow(i) < short
  }

  /** A long body with next to no shadows. */
  isMarubozu(i: i32): bool {
    return this.isLong(i) && this.isShaven(i)
  }

  /** A long body with next to no shadow on the side where it opens. */
  isBeltHold(i: i32): bool {
    return this.isLong(i) && (this.isWhite(i) ? this.hasShavenBottom(i) : this.hasShavenHead(i))
  }

  /** Whether the later candle opens inside the earlier body or near one of its ends. */
  opensNearBody(earlier: i32, later: i32): bool {
    const near = this.near(earlier)
    const open = this.open(later)
    return open >= this.bottom(earlier) - near && open <= this.top(earlier) + near
  }

  /** Whether the later candle opens inside the earlier white body or near its upper end. */
  opensOnBody(earlier: i32, later: i32): bool {
    const open = this.open(later)
    return open > this.open(earlier) && open <= this.close(earlier) + this.near(earlier)
  }

  /** Two prices are near when they are at most this far apart. */
  near(i: i32): f64 {
    return 0.2 * (this.ranges(i, 5) / 5)
  }

  /** Two prices are far when they are at least this far apart. */
  far(i: i32): f64 {
    return 0.6 * (this.ranges(i, 5) / 5)
  }

  /** Two prices count as equal when they are at most this far apart. */
  equal(i: i32): f64 {
    return 0.05 * (this.ranges(i, 5) / 5)
  }

  /** A tenth of the mean range of the ten candles before. */
  @inline
  private trifle(i: i32): f64 {
    return 0.1 * (this.ranges(i, 10) / 10)
  }

  /** The bodies of the ten candles before, added up. */
  @inline
  private bodies(i: i32): f64 {
    return distances(this.input(0), this.input(3), i, 10)
  }

  /** The ranges of the `count` candles before, added up. */
  @inline
  private ranges(i: i32, count: i32): f64 {
    return distances(this.input(2), this.input(1), i, count)
  }
}

/** Whether `price` is at most `distance` away from `target`. */
export function within(price: f64, target: f64, distance: f64): bool {
  return price <= target + distance && price >= target - distance
}

/** The distances of two columns over the `count` candles before candle `i`, added up. */
function distances(x: Column, y: Column, i: i32, count: i32): f64 {
  let pairs = f64x2.splat(0)
  let j = i - count
  for (; j + 1 < i; j += 2) pairs = f64x2.add(pairs, f64x2.abs(f64x2.sub(y.pair(j), x.pair(j))))
  const sum = f64x2.extract_lane(pairs, 0) + f64x2.extract_lane(pairs, 1)
  return j < i ? sum + abs(y[j] - x[j]) : sum
}
