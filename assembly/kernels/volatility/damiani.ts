import { Column, Frame } from '../../frame'
import { averageTrueRange } from '../../parts/averages/average-true-range'
import { exponentialState } from '../../parts/averages/exponential-average'
import { quotients } from '../../parts/numbers/quotient'
import { warmup } from '../../parts/numbers/warmup'
import { deviationAlone } from '../../parts/windows/deviation'

/**
 * Damiani Volatmeter: the average true range of `visAtr` candles divided by that of `sedAtr`, plus half of the change
 * of the volatility from three candles ago to the previous one. `antiTrend` is `threshold` minus the standard deviation
 * of the close over `visStd` candles divided by that over `sedStd`.
 * Wilder's averages, deviations of the population. A candle whose divisor is 0 has no value and counts as 0 later.
 * Source: Damiani, Damiani Volatmeter (MetaTrader); jesse and VectorTA damiani_volatmeter, which give the anti-trend
 * one candle later.
 */
export function damiani(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const trend = frame.output(1)
  const state = frame.state
  const fast = frame.integer(0)
  const slow = frame.integer(2)
  const fastSpread = frame.integer(1)
  const slowSpread = frame.integer(3)
  const others = frame.scratch(0).from(-from)
  const suffixes = frame.scratch(1)
  averageTrueRange(high, low, close, value, from, to, fast, state)
  averageTrueRange(high, low, close, others, from, to, slow, state.from(exponentialState))
  let last = from === 0 ? 0 : state[2 * exponentialState]
  let second = from === 0 ? 0 : state[2 * exponentialState + 1]
  let third = from === 0 ? 0 : state[2 * exponentialState + 2]
  const start = warmup(value, from, to, max(fast, slow))
  divide(value, others, start, to)
  for (let i = start; i < to; i++) {
    const now = value[i] + (last - third) / 2
    value[i] = now
    third = second
    second = last
    last = isNaN(now) ? 0 : now
  }
  state[2 * exponentialState] = last
  state[2 * exponentialState + 1] = second
  state[2 * exponentialState + 2] = third
  const first = warmup(trend, from, to, max(fastSpread, slowSpread) - 1)
  if (first >= to) return
  deviationAlone(close, 0, trend, first, to, fastSpread, suffixes, 1)
  deviationAlone(close, 0, others, first, to, slowSpread, suffixes, 1)
  divide(trend, others, first, to)
  for (let i = first; i < to; i++) trend[i] = frame.number(4) - trend[i]
}

/** Divides the values of `x` by those of `by` for i in [from, to). */
function divide(x: Column, by: Column, from: i32, to: i32): void {
  const after = x[to]
  for (let i = from; i < to; i += 2) x.setPair(i, quotients(x.pair(i), by.pair(i)))
  x[to] = after
}
