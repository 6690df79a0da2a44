import { Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { warmup } from '../../parts/numbers/warmup'

/**
 * ATR Trailing Stop: a line `multiplier` average true ranges below the close (or the low) that only rises while the market
 * is up, and one above the close (or the high) that only falls while it is down; a close beyond its line turns the side.
 * `sellStop` is the line of a rising market, `buyStop` that of a falling one; `value` is the one that applies.
 * The first candle is up if it closed at or above the close before.
 * Source: Skender.Stock.Indicators AtrStop; Welles Wilder's average true range.
 */
export function atrtrailingstop(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const value = frame.output(0)
  const buyStop = frame.output(1)
  const sellStop = frame.output(2)
  const state = frame.state
  const period = frame.integer(0)
  const multiplier = frame.number(1)
  const isClose = frame.integer(2) === 0
  const top = isClose ? close : frame.input(0)
  const bottom = isClose ? close : frame.input(1)
  averageTrueRange(frame.input(0), frame.input(1), close, value, from, to, period, state)
  let upper = from === 0 ? 0 : state[exponentialState]
  let lower = from === 0 ? 0 : state[exponentialState + 1]
  let isUp = from > 0 && state[exponentialState + 2] > 0
  warmup(buyStop, from, to, period)
  warmup(sellStop, from, to, period)
  for (let i = max(from, period); i < to; i++) {
    const width = multiplier * value[i]
    const above = top[i] + width
    const below = bottom[i] - width
    const before = close[i - 1]
    if (i === period) {
      upper = above
      lower = below
      isUp = close[i] >= before
    }
    if (above < upper || before > upper) upper = above
    if (below > lower || before < lower) lower = below
    isUp = close[i] > (isUp ? lower : upper)
    value[i] = isUp ? lower : upper
    buyStop[i] = isUp ? NaN : upper
    sellStop[i] = isUp ? lower : NaN
  }
  state[exponentialState] = upper
  state[exponentialState + 1] = lower
  state[exponentialState + 2] = isUp ? 1 : -1
}
