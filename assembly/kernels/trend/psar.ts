import { Frame } from '../../frame'
import { warmup } from '../../parts/warmup'

/**
 * Parabolic SAR: a stop that moves towards the extreme of the trade by an acceleration, which grows from `start` by
 * `increment` with each new extreme up to `maximum`. A candle that touches the stop turns the trade round.
 * The first trade is short if the low fell by more than the high rose, else long; the level has no sign when short.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); TA-Lib 0.6 SAR, SAREXT where start ≠ increment.
 */
export function psar(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const maximum = frame.number(2)
  const start = min(frame.number(0), maximum)
  const increment = min(frame.number(1), maximum)
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
      isLong = !(fall > 0 && fall > top - high[0])
      stop = isLong ? low[0] : high[0]
      extreme = isLong ? top : bottom
      acceleration = start
    }
    const turns = isLong ? bottom <= stop : top >= stop
    if (turns) {
      isLong = !isLong
      stop = isLong ? lowest(extreme, bottomBefore, bottom) : highest(extreme, topBefore, top)
      extreme = isLong ? top : bottom
      acceleration = start
      out[i] = stop
    } else {
      out[i] = stop
      if (isLong ? top > extreme : bottom < extreme) {
        extreme = isLong ? top : bottom
        acceleration += increment
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
