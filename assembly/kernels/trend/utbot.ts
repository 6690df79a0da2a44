import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * UT Bot Alerts: a stop `multiplier` average true ranges from the close. It only follows the close while closes stay on
 * one side, and is set again when they cross it. `signal` is 1 where the close crosses the stop upwards, −1 downwards,
 * else 0. Starts below the first close with an average.
 * Source: Yo_adriiiiaan and HPotter, UT Bot (TradingView); trading-signals VolatilityStop.
 */
export function utbot(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const value = frame.output(0)
  const signal = frame.output(1)
  const state = frame.state
  const multiplier = frame.number(0)
  const period = frame.integer(1)
  averageTrueRange(frame.input(0), frame.input(1), close, value, from, to, period, state)
  let line = from === 0 ? 0 : state[exponentialState]
  warmup(signal, from, to, period)
  for (let i = max(from, period); i < to; i++) {
    const now = close[i]
    const before = close[i - 1]
    const width = multiplier * value[i]
    const last = line
    if (i === period) line = now - width
    else if (now > last && before > last) line = max(last, now - width)
    else if (now < last && before < last) line = min(last, now + width)
    else line = now > last ? now - width : now + width
    value[i] = line
    signal[i] = i === period ? 0 : now > line && before <= last ? 1 : now < line && before >= last ? -1 : 0
  }
  state[exponentialState] = line
}
