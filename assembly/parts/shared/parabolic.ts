import { Column } from '../../frame'
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
  const first = f64x2.pmin(start, maximum)
  let i = warmup(out, from, to, 1)
  if (i === 1 && i < to) open(high, low, opening, first, state)
  let isLong = state[3] > 0
  // A short trade is a long one over prices with the other sign: what follows is written for long trades.
  let sign: f64 = isLong ? 1 : -1
  let stop = state[0] * sign
  let extreme = state[1] * sign
  let acceleration = state[2]
  while (i < to) {
    const ahead = isLong ? high : low
    const against = isLong ? low : high
    const step = ofTrade(increment, isLong)
    const limit = ofTrade(maximum, isLong)
    const printed = isSigned ? 1 : sign
    // The first trade has no candle before it that could hold its stop back.
    let riskBefore = against[i > 1 ? i - 1 : 1] * sign
    let risk = against[i] * sign
    while (!(risk <= stop)) {
      out[i] = stop * printed
      const best = ahead[i] * sign
      if (best > extreme) {
        extreme = best
        acceleration = min(acceleration + step, limit)
      }
      stop = lowest(stop + acceleration * (extreme - stop), riskBefore, risk)
      if (++i === to) break
      riskBefore = risk
      risk = against[i] * sign
    }
    if (i === to) break
    // The stop is touched: the trade is reversed.
    isLong = !isLong
    sign = -sign
    const riskNow = ahead[i] * sign
    const riskLast = ahead[max(i - 1, 1)] * sign
    stop = movedAway(lowest(-extreme, riskLast, riskNow), sign * offset)
    extreme = against[i] * sign
    acceleration = ofTrade(first, isLong)
    out[i] = isSigned ? stop : stop * sign
    stop = lowest(stop + acceleration * (extreme - stop), riskLast, riskNow)
    i++
  }
  state.setPair(0, f64x2(stop * sign, extreme * sign))
  state.setPair(2, f64x2(acceleration, sign))
}

/** Writes the state of the first trade, which begins with candle 1. */
function open(high: Column, low: Column, opening: f64, acceleration: v128, state: Column): void {
  const fall = low[0] - low[1]
  const isLong = opening !== 0 ? opening > 0 : !(fall > 0 && fall > high[1] - high[0])
  state[0] = opening !== 0 ? Math.abs(opening) : isLong ? low[0] : high[0]
  state[1] = isLong ? high[1] : low[1]
  state[2] = ofTrade(acceleration, isLong)
  state[3] = isLong ? 1 : -1
}

/** The number of a pair that is for trades of this direction. */
function ofTrade(pair: v128, isLong: bool): f64 {
  return isLong ? f64x2.extract_lane(pair, 0) : f64x2.extract_lane(pair, 1)
}

/** A stop with a share of itself taken away. */
function movedAway(stop: f64, share: f64): f64 {
  return stop - stop * share
}

function lowest(x: f64, y: f64, z: f64): f64 {
  if (y < x) x = y
  return z < x ? z : x
}
