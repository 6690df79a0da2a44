import { Column } from '../frame'
import { warmup } from './warmup'

/**
 * Wilder's parabolic stop: it moves towards the extreme of the trade by an acceleration, which begins at `start`
 * and grows by `increment` with each new extreme up to `maximum`, for long and short trades apart. A candle that
 * touches the stop turns the trade round and, by `offset`, its new stop away from the price.
 *
 * A positive `opening` is the stop of a first trade that is long, a negative one that of a short trade; with 0
 * the first trade is short if the low fell by more than the high rose, else long. Short stops are negative where
 * `isSigned`. Begins with candle 1. State: four numbers.
 */
export function parabolic(
  high: Column,
  low: Column,
  out: Column,
  from: i32,
  to: i32,
  opening: f64,
  offset: f64,
  longStart: f64,
  longIncrement: f64,
  longMaximum: f64,
  shortStart: f64,
  shortIncrement: f64,
  shortMaximum: f64,
  isSigned: bool,
  state: Column,
): void {
  let isLong = state[3] > 0
  let i = warmup(out, from, to, 1)
  if (i === 1 && i < to) {
    const fall = low[0] - low[1]
    isLong = opening !== 0 ? opening > 0 : !(fall > 0 && fall > high[1] - high[0])
    state[0] = opening !== 0 ? Math.abs(opening) : isLong ? low[0] : high[0]
    state[1] = isLong ? high[1] : low[1]
    state[2] = isLong ? min(longStart, longMaximum) : min(shortStart, shortMaximum)
  }
  // A short trade is a long one over prices with the other sign: all that follows is told of long trades.
  let sign: f64 = isLong ? 1 : -1
  let stop = state[0] * sign
  let extreme = state[1] * sign
  let acceleration = state[2]
  while (i < to) {
    const ahead = isLong ? high : low
    const against = isLong ? low : high
    const increment = isLong ? longIncrement : shortIncrement
    const maximum = isLong ? longMaximum : shortMaximum
    const printed = isSigned ? 1 : sign
    // The first trade has no candle before it that could hold its stop back.
    let riskBefore = against[i > 1 ? i - 1 : 1] * sign
    let risk = against[i] * sign
    while (!(risk <= stop)) {
      out[i] = stop * printed
      const reach = ahead[i] * sign
      if (reach > extreme) {
        extreme = reach
        acceleration += increment
        if (acceleration > maximum) acceleration = maximum
      }
      stop = lowest(stop + acceleration * (extreme - stop), riskBefore, risk)
      if (++i === to) break
      riskBefore = risk
      risk = against[i] * sign
    }
    if (i === to) break
    // The stop is touched: the trade turns round.
    const before = max(i - 1, 1)
    isLong = !isLong
    sign = -sign
    const riskNow = (isLong ? low : high)[i] * sign
    const riskLast = (isLong ? low : high)[before] * sign
    const turned = lowest(-extreme, riskLast, riskNow)
    stop = turned - turned * sign * offset
    extreme = (isLong ? high : low)[i] * sign
    acceleration = isLong ? min(longStart, longMaximum) : min(shortStart, shortMaximum)
    out[i] = isSigned ? stop : stop * sign
    stop = lowest(stop + acceleration * (extreme - stop), riskLast, riskNow)
    i++
  }
  state[0] = stop * sign
  state[1] = extreme * sign
  state[2] = acceleration
  state[3] = sign
}

function lowest(x: f64, y: f64, z: f64): f64 {
  if (y < x) x = y
  return z < x ? z : x
}
