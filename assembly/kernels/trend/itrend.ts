import { Frame } from '../../frame'
import { Filter } from '../../parts/averages/recursive-filter'
import { medianPrices } from '../../parts/candles/median-price'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Instantaneous Trendline: a filter of two poles over (high + low) / 2 without lag at slow changes; `trigger` is twice
 * the value minus the value two candles before. The first candles are the mean of three prices with the weights 1, 2,
 * 1; prices before the first candle equal the first one.
 * Source: Ehlers, Cybernetic Analysis for Stocks and Futures (2004), chapter 3.
 */
export function itrend(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const trigger = frame.output(1)
  const state = frame.state
  const alpha = frame.number(0)
  const filter = Filter.at(state)
  const prices = frame.scratch(0).from(-from)
  const history = state.from(Filter.size)
  medianPrices(frame.input(0), frame.input(1), prices, from, to)
  if (from === 0) {
    const square = alpha * alpha
    filter.forward(alpha - square / 4, square / 2, -(alpha - 0.75 * square), 0)
    filter.feedback(2 * (1 - alpha), -(1 - alpha) * (1 - alpha), 0)
    filter.setHistory(prices[0], prices[0])
    history[0] = prices[0]
    history[1] = prices[0]
  }
  let i = from
  for (const end = min(to, 6); i < end; i++) {
    value[i] = (prices[i] + 2 * filter.x1 + filter.x2) / 4
    filter.push(prices[i], value[i])
  }
  filter.run(prices, value, i, to, 0, false)
  let before = history[0]
  let second = history[1]
  for (i = from; i < to; i++) {
    trigger[i] = 2 * value[i] - second
    second = before
    before = value[i]
  }
  history[0] = before
  history[1] = second
  warmup(value, from, to, 6)
  warmup(trigger, from, to, 6)
}
