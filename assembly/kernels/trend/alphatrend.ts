import { Frame } from '../../frame'
import { trueRanges } from '../../parts/candles/true-range'
import { warmup } from '../../parts/numbers/warmup'
import { moneyFlowIndex } from '../../parts/shared/money-flow-index'
import { relativeStrength, strengthState } from '../../parts/shared/rsi'
import { movingMean } from '../../parts/windows/sums'

/**
 * AlphaTrend: a line `coefficient` mean true ranges below the low that only rises while the momentum (the money flow
 * index, or the relative strength index) is 50 or more, and one above the high that only falls while it is less. `lagged`
 * is the value two candles before.
 * Source: KivancOzbilgic, AlphaTrend (TradingView); VectorTA alphatrend.
 */
export function alphatrend(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const lagged = frame.output(1)
  const state = frame.state
  const period = frame.integer(0)
  const coefficient = frame.number(1)
  const isFlow = frame.integer(2) === 0
  let line = from === 0 ? 0 : state[strengthState]
  let before = from === 0 ? NaN : state[strengthState + 1]
  let second = from === 0 ? NaN : state[strengthState + 2]
  if (isFlow) {
    moneyFlowIndex(frame, lagged, from, to, 0)
    for (let k = 0; k < strengthState; k++) state[k] = 0
  } else relativeStrength(close, lagged, from, to, period, state)
  const first = warmup(value, from, to, period)
  if (first < to) {
    const oldest = first - period + 1
    const ranges = frame.scratch(0).from(-oldest)
    trueRanges(high, low, close, ranges, oldest, to)
    movingMean(ranges, 1, value, first, to, period, frame.scratch(1))
  }
  for (let i = from; i < to; i++) {
    let now = NaN
    if (i >= period) {
      const width = coefficient * value[i]
      const isUp = lagged[i] >= 50
      const next = isUp ? low[i] - width : high[i] + width
      line = i === period ? next : isUp ? max(next, line) : min(next, line)
      now = line
      value[i] = line
    }
    lagged[i] = second
    second = before
    before = now
  }
  state[strengthState] = line
  state[strengthState + 1] = before
  state[strengthState + 2] = second
}
