import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Volatility Stop of TradingView: the extreme close since the turn minus (plus, in a falling market) `multiplier`
 * average true ranges of the candle, a line that never moves back; a close beyond it turns the side.
 * Starts up. Wilder's average is seeded with a mean (TradingView's with the first true range).
 * Source: TradingView, Volatility Stop; deepentropy/lightweight-charts-indicators volatility-stop.
 */
export function vstop(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const value = frame.output(0)
  const trend = frame.output(1)
  const state = frame.state
  const period = frame.integer(0)
  const multiplier = frame.number(1)
  averageTrueRange(frame.input(0), frame.input(1), close, value, from, to, period, state)
  let line = from === 0 ? 0 : state[exponentialState]
  let highest = from === 0 ? 0 : state[exponentialState + 1]
  let lowest = from === 0 ? 0 : state[exponentialState + 2]
  let isUp = from === 0 || state[exponentialState + 3] > 0
  warmup(trend, from, to, period)
  for (let i = max(from, period); i < to; i++) {
    const now = close[i]
    const width = multiplier * value[i]
    if (i === period) {
      highest = now
      lowest = now
      line = now - width
    }
    highest = max(highest, now)
    lowest = min(lowest, now)
    line = isUp ? max(line, highest - width) : min(line, lowest + width)
    if (now >= line !== isUp) {
      isUp = !isUp
      highest = now
      lowest = now
      line = isUp ? now - width : now + width
    }
    value[i] = line
    trend[i] = isUp ? 1 : -1
  }
  state[exponentialState] = line
  state[exponentialState + 1] = highest
  state[exponentialState + 2] = lowest
  state[exponentialState + 3] = isUp ? 1 : -1
}
