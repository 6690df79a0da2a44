import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Volatility Stop: the extreme close since the turn minus (plus, in a falling market) `multiplier` average true ranges
 * of the previous candle. A close beyond it turns the side at that candle, where `stop` is 1; `trend` is the side
 * before.
 * The first side follows from the first `period` closes, and the stop starts from their extreme. Values depend on that
 * start until the first turn.
 * Source: Wilder, New Concepts in Technical Trading Systems (1978); Skender.Stock.Indicators VolatilityStop.
 */
export function volatilitystop(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const value = frame.output(0)
  const trend = frame.output(1)
  const stop = frame.output(2)
  const state = frame.state
  const period = frame.integer(0)
  const multiplier = frame.number(1)
  const ranges = frame.scratch(0).from(1 - from)
  // The average true range of the candle before this call, then the extreme close and the side.
  ranges[from - 1] = from === 0 ? 0 : state[exponentialState]
  averageTrueRange(frame.input(0), frame.input(1), close, ranges, from, to, period, state)
  let extreme = from === 0 ? close[0] : state[exponentialState + 1]
  let side: f64 = from === 0 ? 1 : state[exponentialState + 2]
  // The extremes of the first closes, until the side is known: the highest, the lowest and the first one.
  let highest = from === 0 ? close[0] : state[exponentialState + 3]
  let lowest = from === 0 ? close[0] : state[exponentialState + 4]
  const start = from === 0 ? close[0] : state[exponentialState + 5]
  for (let i = from; i < to; i++) {
    const now = close[i]
    if (i < period) {
      highest = max(highest, now)
      lowest = min(lowest, now)
      if (i === period - 1) {
        side = now > start ? 1 : -1
        extreme = side > 0 ? highest : lowest
      }
    } else if (i === period) extreme = side > 0 ? max(extreme, now) : min(extreme, now)
    else {
      const line = extreme - side * multiplier * ranges[i - 1]
      const isStopped = (now - line) * side < 0
      value[i] = line
      trend[i] = side
      stop[i] = isStopped ? 1 : 0
      if (isStopped) {
        extreme = now
        side = -side
      } else extreme = side > 0 ? max(extreme, now) : min(extreme, now)
    }
  }
  state[exponentialState] = to > period ? ranges[to - 1] : 0
  state[exponentialState + 1] = extreme
  state[exponentialState + 2] = side
  state[exponentialState + 3] = highest
  state[exponentialState + 4] = lowest
  state[exponentialState + 5] = start
  for (let k = 0; k < 3; k++) warmup(frame.output(k), from, to, period + 1)
}
