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
  let stop = state[0]
  let extreme = state[1]
  let acceleration = state[2]
  let isLong = state[3] > 0
  for (let i = warmup(out, from, to, 1); i < to; i++) {
    const top = high[i]
    const bottom = low[i]
    // The first trade has no candle before it that could hold its stop back.
    let topBefore = top
    let bottomBefore = bottom
    if (i > 1) {
      topBefore = high[i - 1]
      bottomBefore = low[i - 1]
    } else {
      const fall = low[0] - bottom
      isLong = opening !== 0 ? opening > 0 : !(fall > 0 && fall > top - high[0])
      stop = opening !== 0 ? Math.abs(opening) : isLong ? low[0] : high[0]
      extreme = isLong ? top : bottom
      acceleration = isLong ? min(longStart, longMaximum) : min(shortStart, shortMaximum)
    }
    if (isLong ? bottom <= stop : top >= stop) {
      isLong = !isLong
      stop = isLong ? lowest(extreme, bottomBefore, bottom) : highest(extreme, topBefore, top)
      stop += isLong ? -(stop * offset) : stop * offset
      extreme = isLong ? top : bottom
      acceleration = isLong ? min(longStart, longMaximum) : min(shortStart, shortMaximum)
      out[i] = isLong || !isSigned ? stop : -stop
    } else {
      out[i] = isLong || !isSigned ? stop : -stop
      if (isLong ? top > extreme : bottom < extreme) {
        const maximum = isLong ? longMaximum : shortMaximum
        extreme = isLong ? top : bottom
        acceleration += isLong ? longIncrement : shortIncrement
        if (acceleration > maximum) acceleration = maximum
      }
    }
    stop += acceleration * (extreme - stop)
    stop = isLong ? lowest(stop, bottomBefore, bottom) : highest(stop, topBefore, top)
  }
  state[0] = stop
  state[1] = extreme
  state[2] = acceleration
  state[3] = isLong ? 1 : -1
}

function lowest(x: f64, y: f64, z: f64): f64 {
  if (y < x) x = y
  return z < x ? z : x
}

function highest(x: f64, y: f64, z: f64): f64 {
  if (y > x) x = y
  return z > x ? z : x
}
