import { Column } from '../../frame'
import { Halves } from '../averages/halves'
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
  // A long series is computed in halves where both sides have the same numbers.
  if (offset === 0 && isForBoth(begun) && isForBoth(increment) && isForBoth(maximum))
    i = halves(high, low, out, i, to, begun, increment, maximum, isSigned, state)
  trades(high, low, out, i, to, offset, begun, increment, maximum, isSigned, state)
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

/** The state of the second half when it begins and while it is computed, and the pairs of both halves. */
const halfStates = memory.data(3 * tradeState * 8)

/** Computes two halves of a long series at once. Returns the candle after them, or `from` for a short series. */
function halves(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  begun: v128,
  increment: v128,
  maximum: v128,
  isSigned: bool,
  state: Column,
): i32 {
  // The first trade has no earlier candle that could limit its stop.
  const first = max(from, 2)
  const warmup = Halves.warmup(forgotten, 1)
  const size = Halves.size(to - first, warmup, 1)
  if (size === 0) return from
  trades(high, low, out, from, first, 0, begun, increment, maximum, isSigned, state)
  const middle = first + size
  const second = changetype<Column>(halfStates)
  Halves.copy(state, second, tradeState)
  trades(high, low, out, middle - warmup, middle, 0, begun, increment, maximum, isSigned, second)
  const both = second.from(tradeState)
  for (let k = 0; k < tradeState; k++)
    both.setPair(2 * k, f64x2.replace_lane(f64x2.splat(state[k]), 1, second[k]))
  stops(high, low, out, first, middle, size, begun, increment, maximum, isSigned, both)
  for (let k = 0; k < tradeState; k++) state[k] = both[2 * k]
  if (!Halves.areEqual(state, second, tradeState))
    trades(high, low, out, middle, middle + size, 0, begun, increment, maximum, isSigned, state)
  else for (let k = 0; k < tradeState; k++) state[k] = both[2 * k + 1]
  memory.fill(halfStates, 0, 3 * tradeState * 8)
  return middle + size
}

/** The share of a trade that a candle replaces: trades from different states soon reverse at the same candle. */
const forgotten: f64 = 0.05

/**
 * Writes the stops of the candles `i` and `i + gap`, which are the lanes of vectors, without a branch. Prices and stops of
 * a short trade are negated, so that its conditions are those of a long one. `from ≥ 2`. State: four pairs.
 */
function stops(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  gap: i32,
  begun: v128,
  increment: v128,
  maximum: v128,
  isSigned: bool,
  state: Column,
): void {
  Halves.interleave(forgotten, 2 * tradeState)
  const minus = f64x2.splat(-0.0)
  const one = f64x2.splat(1)
  let isShort = f64x2.lt(state.pair(6), f64x2.splat(0))
  let sign = v128.and(isShort, minus)
  let stop = v128.xor(state.pair(0), sign)
  let extreme = v128.xor(state.pair(2), sign)
  let share = state.pair(4)
  let highBefore = apart(high, from - 1, gap)
  let lowBefore = apart(low, from - 1, gap)
  for (let i = from; i < to; i += 1) {
    const top = apart(high, i, gap)
    const bottom = apart(low, i, gap)
    const highest = f64x2.pmax(highBefore, top)
    const lowest = f64x2.pmin(lowBefore, bottom)
    highBefore = top
    lowBefore = bottom
    // The prices on the side of the extreme and on that of the stop change places in a short trade.
    const swap = v128.xor(v128.and(v128.xor(top, bottom), isShort), sign)
    const ahead = v128.xor(top, swap)
    const against = v128.xor(bottom, swap)
    const swapOfTwo = v128.xor(v128.and(v128.xor(highest, lowest), isShort), sign)
    const most = v128.xor(highest, swapOfTwo)
    const bound = v128.xor(lowest, swapOfTwo)
    // The state if the trade continues.
    const grown = f64x2.pmin(f64x2.add(share, v128.and(increment, f64x2.gt(ahead, extreme))), maximum)
    const best = f64x2.pmax(extreme, ahead)
    const moved = f64x2.add(f64x2.mul(stop, f64x2.sub(one, grown)), f64x2.mul(grown, best))
    // The state if the trade reverses.
    const turned = f64x2.pmax(extreme, most)
    const begins = f64x2.add(turned, f64x2.mul(begun, f64x2.sub(against, turned)))
    const reverses = f64x2.ge(stop, against)
    const other = v128.and(reverses, minus)
    setApart(out, i, gap, v128.xor(v128.bitselect(turned, stop, reverses), isSigned ? other : sign))
    stop = v128.xor(v128.bitselect(f64x2.pmax(begins, most), f64x2.pmin(moved, bound), reverses), other)
    extreme = v128.xor(v128.bitselect(against, best, reverses), other)
    share = v128.bitselect(begun, grown, reverses)
    isShort = v128.xor(isShort, reverses)
    sign = v128.xor(sign, other)
  }
  state.setPair(0, v128.xor(stop, sign))
  state.setPair(2, v128.xor(extreme, sign))
  state.setPair(4, share)
  state.setPair(6, v128.xor(one, sign))
}

/** Whether a number of long trades is also that of short ones. */
function isForBoth(pair: v128): bool {
  return first(pair) === first(secondOf(pair))
}

/** Elements `i` and `i + gap` of a column. */
function apart(prices: Column, i: i32, gap: i32): v128 {
  return v128.load_lane<f64>(changetype<usize>(prices.from(i + gap)), at(prices, i), 1)
}

function setApart(out: Column, i: i32, gap: i32, values: v128): void {
  v128.store_lane<f64>(changetype<usize>(out.from(i)), values, 0)
  v128.store_lane<f64>(changetype<usize>(out.from(i + gap)), values, 1)
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
