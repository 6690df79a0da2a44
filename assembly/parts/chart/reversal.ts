import { Frame } from '../../frame'
import { isAbove, isLonger, isShorter } from '../numbers/tie'
import { confirmPivots, Pivots } from '../swings/pivots'
import { Formation, Formations, prepareSwings, swingDistance, swingWarmup } from './formation'

/** Number of turning points that are kept: up to three tops, the lows between, and one that may follow. */
const capacity = 6

/**
 * Reversals of two or three tops (`side` 1) or bottoms (`side` −1, everything upside down), with a head or not.
 *
 * Turning points: extremes of floor(depth / 2) candles on either side, of equal ones the newest, highs and lows
 * alternating; each counts from floor(depth / 2) candles later on. It is at least deviationATR average true ranges away
 * from the previous one, or that many percent of the previous price; a farther one on the same side replaces the
 * newest. They are highs and lows or, by `source`, the ends of the bodies, of Heikin-Ashi candles if so chosen. All
 * ATRs are Wilder's, at the candle that makes the last turning point known (for the break: at the candle that breaks).
 * Before the first ATR only a single turning point is added, which a farther one on its side replaces; with percent all
 * are added.
 *
 * When a top becomes known, or replaces the newest, the formation that waited ends, and the newest tops are
 * a formation if
 * 1. without a head: the highest and the lowest top differ by at most the tolerance × ATR; with a head: the middle top
 *    is at least the prominence × ATR above both shoulders, which differ by at most the tolerance × ATR and both stand
 *    above the neckline;
 * 2. the height, from the neckline to the highest top (at that top's candle), is at least the minimum × ATR;
 * 3. for two tops: candles from the low to the second top / candles from the first top to the low is within the
 *    symmetry; with a head: candles from head to right shoulder / from left shoulder to head.
 * The neckline is level at the low between two tops, at the lower one between three, and with a head the line through
 * both lows, extended.
 *
 * The formation waits up to breakoutLookahead candles after the candle that made it known. The first close below the
 * neckline by more than the buffer × ATR confirms it, at the earliest at that candle itself; a close above the highest
 * top ends it. `value` is −100 × side at the confirming candle, which fixes the target at the height below its
 * neckline. Neckline and target are given there and afterwards until a close reaches the target or is above the highest
 * top (that candle has none), for at most breakoutLookahead candles more, or until another formation is confirmed. A
 * formation needs no trend before it.
 *
 * Parameters: depth, deviationATR, deviationType, source, heikinashi, atrPeriod, [prominence], tolerance, minimum of
 * the height, [symmetryMin, symmetryMax], breakoutLookahead, [buffer]. Inputs: open, high, low, close.
 * State: Formations.size(6) + exponentialState + edgeState(2 · half) numbers.
 */
export function reversal(frame: Frame, from: i32, to: i32, side: f64, peaks: i32, hasHead: bool): void {
  const close = frame.input(3)
  const half = frame.integer(0) / 2
  const deviation = frame.number(1)
  const isPercent = frame.integer(2) === 1
  const isTriple = peaks === 3 && !hasHead
  const lookahead = frame.number(hasHead ? 11 : isTriple ? 8 : 10)
  const buffer = isTriple ? 0 : frame.number(hasHead ? 12 : 11)
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
  for (let i = from; i < to; i++) {
    const range = ranges[i]
    const distance = swingDistance(deviation, isPercent, pivots, range)
    if (confirmPivots(pivots, capacity, tops, bottoms, i, half, half, distance)) {
      const newest = formations.judge(side)
      if (newest >= 0 && pivots.count >= newest + 2 * peaks - 1)
        judge(frame, waiting, newest, pivots, side, peaks, hasHead, range, <f64>i + lookahead)
    }
    confirmed.follow(i, -side, close[i])
    const isBroken = waiting.isBroken(i, -side, close[i], buffer * range)
    if (isBroken) confirmed.confirm(waiting, i, -side, waiting.limit, lookahead)
    formations.write(frame, i, first, isBroken ? -100 * side : 0)
  }
}

/** Begins the formation whose last top is the turning point `k`, if the conditions hold; `range` is the ATR. */
function judge(
  frame: Frame,
  waiting: Formation,
  k: i32,
  pivots: Pivots,
  side: f64,
  peaks: i32,
  hasHead: bool,
  range: f64,
  until: f64,
): void {
  const isDouble = peaks === 2
  const isTriple = !isDouble && !hasHead
  const at = hasHead ? 7 : 6
  const tolerance = range * frame.number(at)
  const minHeight = range * frame.number(at + 1)
  const symmetryMin = isTriple ? 0 : frame.number(at + 2)
  const symmetryMax = isTriple ? Infinity : frame.number(at + 3)
  const last = pivots.get(k)
  const low = pivots.get(k + 1)
  const middle = pivots.get(k + 2)
  const firstLow = isDouble ? low : pivots.get(k + 3)
  const first = isDouble ? middle : pivots.get(k + 4)
  const lastPrice = last.price * side
  const middlePrice = middle.price * side
  const firstPrice = first.price * side
  const highest = max(max(lastPrice, middlePrice), firstPrice)
  const lowest = min(min(lastPrice, middlePrice), firstPrice)

  let anchor = low.at
  let price = low.price
  let slope: f64 = 0
  if (hasHead) {
    slope = (low.price - firstLow.price) / (low.at - firstLow.at)
    const isShoulder = !isLonger(abs(lastPrice - firstPrice), tolerance)
    if (!isShoulder || isShorter(middlePrice - max(lastPrice, firstPrice), range * frame.number(6))) return
    const left = (price + slope * (first.at - anchor)) * side
    const right = (price + slope * (last.at - anchor)) * side
    if (!isAbove(firstPrice, left) || !isAbove(lastPrice, right)) return
  } else {
    if (isLonger(highest - lowest, tolerance)) return
    if ((firstLow.price - low.price) * side < 0) {
      anchor = firstLow.at
      price = firstLow.price
    }
  }
  const height = highest - (price + slope * (middle.at - anchor)) * side
  if (isShorter(height, minHeight)) return
  const turn = isDouble ? low.at : middle.at
  const symmetry = (last.at - turn) / (turn - first.at)
  if (!(symmetry >= symmetryMin && symmetry <= symmetryMax)) return
  waiting.begin(anchor, price, slope, height, highest * side, until)
}
