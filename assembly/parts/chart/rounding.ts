import { Column, Frame } from '../../frame'
import { exponentialState } from '../averages/exponential-average'
import { isAbove, isLonger, isMove, isShorter } from '../numbers/tie'
import { confirmPivots, edgeState, Pivots } from '../swings/pivots'
import { Formation, Formations, prepareSwings, swingDistance, swingWarmup } from './formation'

/** Number of turning points that are kept. */
const capacity = 32
/** Minimum depth, in average true ranges. */
const minDepth: f64 = 3
/** Maximum difference of the rims of a cup, as a share of its depth. */
const rimTolerance: f64 = 0.25
/** Mean depth of the closes below the rim, as a share of the cup's depth. A parabola has 2/3, two lines 1/2. */
const minFill: f64 = 0.55
const maxFill: f64 = 0.85
/** Maximum depth of a handle as a share of the cup's depth, and its maximum length as a share of the cup's length. */
const maxHandle: f64 = 0.5

/**
 * Cups with a handle, and rounding bottoms without one (`side` 1), or the same upside down (`side` −1).
 *
 * Turning points as in `reversal` (assembly/parts/chart/reversal.ts); the newest 32 are examined. A cup runs from a
 * high to a right rim; its bottom is the lowest of the lows between, of equal ones the newest, its depth the distance
 * from the lower rim to the bottom.
 * 1. It is minLength … maxLength candles long.
 * 2. The depth is at least 3 ATR.
 * 3. The bottom lies in the middle third of the candles.
 * 4. The closes between the rims lie on average 0.55 … 0.85 of the distance from the mean of the rims to the bottom
 *    below that mean: a parabola has 2/3, a V 1/2, a box 1.
 *
 * Rounding bottom: candle i is confirming and is the right rim itself if it is the first that closes above the left rim
 * (none between did, and the close before is not above), a high above all highs after it. Both rims are at the price of
 * the left one. Of several that qualify the newest counts.
 *
 * Cup and handle: the right rim is a high, at the candle that makes it known, or that makes it the newest; a formation
 * that waited until then ends. The rims differ by at most a quarter of the depth and no high between stands above the
 * lower one. Of several left rims the newest counts. The handle is what follows the right rim: no close of it may be
 * more than half of the depth (from the higher rim) below the higher rim, and it lasts for at most half as many candles
 * as the cup. The first close above the higher rim confirms it, at the earliest at the candle that makes the right rim
 * known.
 *
 * `value` is 100 × side at the confirming candle; the neckline is the higher rim, the target lies as far above as the
 * bottom lies below. Both are given from there until a close reaches the target or is below the bottom (that candle has
 * none), for at most as many candles as the cup is long, or until another one is confirmed.
 *
 * Parameters: depth, deviationATR, deviationType, source, heikinashi, atrPeriod, minLength, maxLength. Inputs: open,
 * high, low, close. State: Formations.size(32) + exponentialState + 1 + edgeState(2 · half) numbers.
 */
export function rounding(frame: Frame, from: i32, to: i32, side: f64, hasHandle: bool): void {
  const close = frame.input(3)
  const half = frame.integer(0) / 2
  const deviation = frame.number(1)
  const isPercent = frame.integer(2) === 1
  const minLength = frame.number(6)
  const maxLength = frame.number(7)
  const formations = Formations.of(frame.state)
  const waiting = formations.waiting
  const confirmed = formations.confirmed
  const pivots = formations.pivots
  if (from === 0) formations.reset(capacity)
  prepareSwings(frame, from, to, half, frame.state.from(Formations.size(capacity)))
  const tops = frame.scratch(0).from(2 * half - from)
  const bottoms = frame.scratch(1).from(2 * half - from)
  const ranges = frame.scratch(2).from(-from)
  const first = swingWarmup(frame, half)
  // The lowest rim that no close has passed since, times the side: below it no rounding bottom is completed.
  const rest = frame.state.from(Formations.size(capacity) + exponentialState + edgeState(2 * half))
  let ceiling = from === 0 ? Infinity : rest[0]
  for (let i = from; i < to; i++) {
    const range = ranges[i]
    const distance = swingDistance(deviation, isPercent, pivots, range)
    const isChanged = confirmPivots(pivots, capacity, tops, bottoms, i, half, half, distance)
    if (hasHandle) {
      const right = isChanged ? formations.judge(side) : -1
      if (right >= 0) findCup(waiting, pivots, right, close, i, side, minDepth * range, minLength, maxLength)
    } else {
      const now = close[i] * side
      if (isChanged && pivots.count > firstRim(pivots, side))
        ceiling = min(ceiling, pivots.get(firstRim(pivots, side)).price * side)
      if (isAbove(now, ceiling)) {
        findBowl(waiting, pivots, close, i, side, minDepth * range, minLength, maxLength)
        ceiling = nextRim(pivots, side, now)
      }
    }
    confirmed.follow(i, side, close[i])
    const isBroken = waiting.isBroken(i, side, close[i], 0)
    // `anchor` holds the length, because the line is level.
    if (isBroken) confirmed.confirm(waiting, i, side, waiting.price - side * waiting.height, waiting.anchor)
    formations.write(frame, i, first, isBroken ? 100 * side : 0)
  }
  rest[0] = ceiling
}

/** Begins the cup whose right rim is the turning point `k`, known at candle `i`, if there is one. */
function findCup(
  waiting: Formation,
  pivots: Pivots,
  k: i32,
  close: Column,
  i: i32,
  side: f64,
  least: f64,
  minLength: f64,
  maxLength: f64,
): void {
  const right = pivots.get(k)
  const rightPrice = right.price * side
  let bottom = Infinity
  let bottomAt: f64 = 0
  let inner = -Infinity
  for (let m = k + 1; m + 1 < pivots.count; m += 2) {
    const low = pivots.get(m)
    const left = pivots.get(m + 1)
    if (isMove(bottom - low.price * side, low.price)) {
      bottom = low.price * side
      bottomAt = low.at
    }
    const length = right.at - left.at
    if (length > maxLength || isMove(inner - rightPrice, rightPrice)) return
    const leftPrice = left.price * side
    const depth = min(leftPrice, rightPrice) - bottom
    const areRims =
      !isLonger(abs(leftPrice - rightPrice), rimTolerance * depth) && !isMove(inner - leftPrice, leftPrice)
    inner = max(inner, leftPrice)
    if (length < minLength || !areRims || isShorter(depth, least)) continue
    if (!isMiddle(bottomAt, left.at, length)) continue
    if (!isRound(close, <i32>left.at, <i32>right.at, side, (leftPrice + rightPrice) / 2, bottom)) continue
    const rim = max(leftPrice, rightPrice)
    const height = rim - bottom
    const limit = rim - maxHandle * height
    let isHeld = true
    for (let c = <i32>right.at + 1; c < i; c++) isHeld = isHeld && !isAbove(limit, close[c] * side)
    if (isHeld)
      waiting.begin(length, rim * side, 0, height, limit * side, right.at + floor(length * maxHandle))
    return
  }
}

/** The lowest rim at or above a price, both times the side; Infinity without one. */
function nextRim(pivots: Pivots, side: f64, price: f64): f64 {
  let next = Infinity
  for (let k = firstRim(pivots, side); k < pivots.count; k += 2) {
    const rim = pivots.get(k).price * side
    next = !isAbove(price, rim) && rim < next ? rim : next
  }
  return next
}

/** Index of the newest turning point of a side; highs and lows alternate. */
function firstRim(pivots: Pivots, side: f64): i32 {
  return pivots.count > 0 && pivots.get(0).side === side ? 0 : 1
}

/** Begins the rounding bottom that candle `i` completes, if there is one. */
function findBowl(
  waiting: Formation,
  pivots: Pivots,
  close: Column,
  i: i32,
  side: f64,
  least: f64,
  minLength: f64,
  maxLength: f64,
): void {
  const now = close[i] * side
  const before = close[i - 1] * side
  let inner = -Infinity
  for (let k = firstRim(pivots, side); k < pivots.count; k += 2) {
    const pivot = pivots.get(k)
    const price = pivot.price * side
    const length = <f64>i - pivot.at
    if (length > maxLength || !isAbove(now, price)) return
    const isRim = isMove(price - inner, price) && !isAbove(before, price)
    if (price > inner) inner = price
    if (!isRim || length < minLength || k === 0) continue
    let low = pivots.get(k - 1)
    for (let m = k - 3; m >= 0; m -= 2) {
      if (!isAbove(pivots.get(m).price * side, low.price * side)) low = pivots.get(m)
    }
    const bottom = low.price * side
    if (isShorter(price - bottom, least) || !isMiddle(low.at, pivot.at, length)) continue
    if (!isRound(close, <i32>pivot.at, i, side, price, bottom)) continue
    let isFirst = true
    for (let c = <i32>pivot.at + 1; c < i; c++) isFirst = isFirst && !isAbove(close[c] * side, price)
    if (!isFirst) continue
    waiting.begin(length, pivot.price, 0, price - bottom, low.price, <f64>i)
    return
  }
}

/** Whether a candle lies in the middle third of the `length` candles from `start` on. */
function isMiddle(at: f64, start: f64, length: f64): bool {
  const place = 3 * (at - start)
  return place >= length && place <= 2 * length
}

/** Whether the mean depth of the closes between two candles, measured from `rim`, is that of a rounded bottom. */
function isRound(close: Column, left: i32, right: i32, side: f64, rim: f64, bottom: f64): bool {
  let sum: f64 = 0
  for (let c = left + 1; c < right; c++) sum += rim - close[c] * side
  const fill = sum / <f64>(right - left - 1) / (rim - bottom)
  return !isShorter(fill, minFill) && !isLonger(fill, maxFill)
}
