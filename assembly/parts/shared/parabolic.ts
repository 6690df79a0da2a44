import { Column } from '../../frame'
import { Segments } from '../averages/segments'
import { firstOf, secondOf } from '../numbers/lanes'
import { warmup } from '../numbers/warmup'

/**
 * Wilder's parabolic stop: it moves towards the extreme of the trade by an acceleration, which begins at `start`
 * and grows by `increment` with each new extreme up to `maximum`. Each of the three is a pair: that of long trades, that
 * of short trades. A candle that touches the stop reverses the trade and moves its new stop away from the price by
 * `offset`.
 *
 * A positive `opening` is the stop of a first trade that is long, a negative one that of a short trade; with 0
 * the first trade is short if the low fell by more than the high rose, else long. Short stops are negative where
 * `isSigned`. Begins with candle 1. State: four numbers (stop, extreme, acceleration, 1 for a long trade or −1).
 */
export function parabolic(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  opening: f64,
  offset: f64,
  start: v128,
  increment: v128,
  maximum: v128,
  isSigned: bool,
  state: Column,
): void {
  const begun = f64x2.pmin(start, maximum)
  let i = warmup(out, from, to, 1)
  if (i === 1 && i < to) open(high, low, opening, begun, state)
  // A long series is computed in segments where both sides have the same numbers.
  const isAlike = offset === 0 && isForBoth(begun) && isForBoth(increment) && isForBoth(maximum)
  // The first trade has no earlier candle that could limit its stop.
  const second = isAlike ? min(to, max(i, 2)) : to
  trades(high, low, out, i, second, offset, begun, increment, maximum, isSigned, state)
  if (second < to) stops(high, low, out, second, to, 0, begun, increment, maximum, isSigned, state)
}

/** The trades of the candles [from, to), in order. */
function trades(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  offset: f64,
  begun: v128,
  increment: v128,
  maximum: v128,
  isSigned: bool,
  state: Column,
): void {
  const sign = isSigned ? f64x2.splat(-0.0) : i64x2.splat(0)
  const trade = changetype<Trade>(state)
  let stop = f64x2.splat(trade.stop)
  let extreme = f64x2.splat(trade.extreme)
  let share = f64x2.splat(trade.share)
  let i = from
  for (let isLong = trade.side > 0; i < to; i++) {
    if (isLong) {
      const step = firstOf(increment)
      const most = firstOf(maximum)
      i = trade.follow(high, low, out, i, to, true, stop, extreme, share, step, most, sign)
      if (i >= to) break
      extreme = at(low, i)
      share = secondOf(begun)
      stop = trade.reverse(high, out, i, false, extreme, share, offset, sign)
    } else {
      const step = secondOf(increment)
      const most = secondOf(maximum)
      i = trade.follow(low, high, out, i, to, false, stop, extreme, share, step, most, sign)
      if (i >= to) break
      extreme = at(high, i)
      share = firstOf(begun)
      stop = trade.reverse(low, out, i, true, extreme, share, offset, sign)
    }
    isLong = !isLong
  }
}

/** Numbers of state of a trade. */
const tradeState = 4

/** The share of a trade that a candle replaces: trades from different states soon reverse at the same candle. */
const forgotten: f64 = 0.02

/**
 * Writes the stops without a branch on prices. With unchanged prices on the side of the extreme and those on the side of the
 * stop negated, both multiplied by −1 for a short trade, a new trade begins without a change of signs. `from ≥ 2`.
 */
function stops(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  _offset: f64,
  begun: v128,
  increment: v128,
  maximum: v128,
  isSigned: bool,
  state: Column,
): void {
  Segments.interleave(forgotten, tradeState, trades)
  const minus = f64x2.splat(-0.0)
  const one = f64x2.splat(1)
  // Sign bits of stops that are the negated ones of a short trade, too.
  const always = isSigned ? minus : f64x2.splat(0)
  let isShort = f64x2.lt(Segments.number(state, 3), f64x2.splat(0))
  let stop = v128.xor(Segments.number(state, 0), v128.andnot(minus, isShort))
  let extreme = v128.xor(Segments.number(state, 1), v128.and(minus, isShort))
  let share = Segments.number(state, 2)
  for (let i = from; i < to; i++) {
    const top = Segments.lanes(high.pair(i))
    const bottom = Segments.lanes(f64x2.neg(low.pair(i)))
    const highest = Segments.lanes(f64x2.pmax(high.pair(i), high.pair(i - 1)))
    const lowest = Segments.lanes(f64x2.neg(f64x2.pmin(low.pair(i), low.pair(i - 1))))
    const swap = v128.and(v128.xor(top, bottom), isShort)
    const ahead = v128.xor(top, swap)
    const against = v128.xor(bottom, swap)
    const swapOfTwo = v128.and(v128.xor(highest, lowest), isShort)
    const most = v128.xor(highest, swapOfTwo)
    const bound = v128.xor(lowest, swapOfTwo)
    // The state if the trade continues.
    const grown = f64x2.pmin(f64x2.add(share, v128.and(increment, f64x2.gt(ahead, extreme))), maximum)
    const best = f64x2.pmax(extreme, ahead)
    const moved = f64x2.sub(f64x2.mul(stop, f64x2.sub(one, grown)), f64x2.mul(grown, best))
    // The state if the trade reverses: the extreme becomes the stop, and that of the candle before was already part of it.
    const begins = f64x2.sub(best, f64x2.mul(begun, f64x2.add(against, best)))
    const reverses = f64x2.ge(against, stop)
    isShort = v128.xor(isShort, reverses)
    const isNegative = v128.or(v128.andnot(minus, isShort), always)
    Segments.write(out, i, v128.xor(v128.bitselect(best, stop, reverses), isNegative))
    stop = v128.bitselect(f64x2.pmax(begins, most), f64x2.pmax(moved, bound), reverses)
    extreme = v128.bitselect(against, best, reverses)
    share = f64x2.pmax(v128.andnot(grown, reverses), begun)
  }
  Segments.setNumber(state, 0, v128.xor(stop, v128.andnot(minus, isShort)))
  Segments.setNumber(state, 1, v128.xor(extreme, v128.and(minus, isShort)))
  Segments.setNumber(state, 2, share)
  Segments.setNumber(state, 3, v128.xor(one, v128.and(minus, isShort)))
}

/** Whether a number of long trades is also that of short ones. */
function isForBoth(pair: v128): bool {
  return first(pair) === first(secondOf(pair))
}

/** Writes the state of the first trade, which begins with candle 1. */
function open(high: Column, low: Column, opening: f64, share: v128, state: Column): void {
  const fall = low[0] - low[1]
  const isLong = opening !== 0 ? opening > 0 : !(fall > 0 && fall > high[1] - high[0])
  state[0] = opening !== 0 ? Math.abs(opening) : isLong ? low[0] : high[0]
  state[1] = isLong ? high[1] : low[1]
  state[2] = f64x2.extract_lane(isLong ? share : secondOf(share), 0)
  state[3] = isLong ? 1 : -1
}

/**
 * The open trade. A view of the state. Whether it is long is a constant where a method is inlined, and numbers stand in
 * both lanes of a vector, because extremes of vectors need no branch.
 */
@final
@unmanaged
class Trade {
  stop: f64
  extreme: f64
  /** The acceleration. */
  share: f64
  side: f64

  /**
   * Writes the stops of the candles from `from` on, up to the first candle that touches its stop, and returns this
   * candle, or `to`. `ahead` are the prices on the side of the extreme, `against` those on the side of the stop.
   */
  @inline
  follow(
    ahead: Column,
    against: Column,
    out: Column,
    from: i32,
    to: i32,
    isLong: bool,
    stop: v128,
    extreme: v128,
    share: v128,
    increment: v128,
    maximum: v128,
    sign: v128,
  ): i32 {
    const one = v128.load64_splat(ones)
    let risk = at(against, from)
    if (!isWorse(stop, risk, isLong)) return from
    // The first trade has no earlier candle that could limit its stop.
    let bound = worse(risk, at(against, from > 1 ? from - 1 : 1), isLong)
    let i = from
    do {
      out[i] = first(isLong ? stop : v128.xor(stop, sign))
      // A new extreme cannot be predicted, so nothing branches on it.
      const best = at(ahead, i)
      share = f64x2.add(
        share,
        v128.and(increment, isLong ? f64x2.gt(best, extreme) : f64x2.lt(best, extreme)),
      )
      extreme = worse(extreme, best, !isLong)
      const bounded = f64x2.pmin(share, maximum)
      // Each candle waits for only a product and a sum of the previous one.
      stop = f64x2.add(f64x2.mul(stop, f64x2.sub(one, bounded)), f64x2.mul(bounded, extreme))
      const next = at(against.from(1), i)
      // One comparison tests both that the last two candles do not limit the stop and that the next one does not touch
      // it.
      if (!isWorse(stop, worse(bound, next, isLong), isLong)) {
        stop = worse(stop, bound, isLong)
        if (!isWorse(stop, next, isLong)) {
          i++
          break
        }
      }
      bound = worse(risk, next, isLong)
      risk = next
    } while (++i < to)
    this.stop = first(stop)
    this.extreme = first(extreme)
    this.share = first(f64x2.pmin(share, maximum))
    return i
  }

  /**
   * Reverses the trade at candle `i`, which makes `extreme` the extreme of the new one. `against` are the prices on the side
   * of the new stop. Writes this stop and returns the next one.
   */
  @inline
  reverse(
    against: Column,
    out: Column,
    i: i32,
    isLong: bool,
    extreme: v128,
    share: v128,
    offset: f64,
    sign: v128,
  ): v128 {
    const bound = worse(at(against, i), at(against, max(i - 1, 1)), isLong)
    const nearest = worse(f64x2.splat(this.extreme), bound, isLong)
    const away = f64x2.mul(nearest, f64x2.splat(offset))
    const begun = isLong ? f64x2.sub(nearest, away) : f64x2.add(nearest, away)
    out[i] = first(isLong ? begun : v128.xor(begun, sign))
    const stop = worse(f64x2.add(begun, f64x2.mul(share, f64x2.sub(extreme, begun))), bound, isLong)
    this.stop = first(stop)
    this.extreme = first(extreme)
    this.share = first(share)
    this.side = isLong ? 1 : -1
    return stop
  }
}

// Read from memory, because V8 creates a constant vector again at each candle.
const ones = memory.data<f64>([1])

function at(prices: Column, i: i32): v128 {
  return v128.load64_splat(changetype<usize>(prices.from(i)))
}

function first(pair: v128): f64 {
  return f64x2.extract_lane(pair, 0)
}

/** The worse one of two prices for the trade: the lower one if it is long. */
function worse(x: v128, y: v128, isLong: bool): v128 {
  return isLong ? f64x2.pmin(x, y) : f64x2.pmax(x, y)
}

/** Whether `x` is worse than `y` for the trade. */
function isWorse(x: v128, y: v128, isLong: bool): bool {
  return isLong ? first(x) < first(y) : first(x) > first(y)
}
