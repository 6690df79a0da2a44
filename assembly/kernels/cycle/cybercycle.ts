import { Frame } from '../../frame'
import { Filter } from '../../parts/averages/recursive-filter'
import { medianPrices } from '../../parts/candles/median-price'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Cyber Cycle: a high-pass filter of two poles over the prices (high + low) / 2, smoothed with the weights 1, 2, 2, 1;
 * `trigger` is the value of the candle before.
 * The first candles are (price − 2·price[1] + price[2]) / 4; prices before the first candle equal the first one.
 * Source: Ehlers, Cybernetic Analysis for Stocks and Futures (2004), chapter 4.
 */
export function cybercycle(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const trigger = frame.output(1)
  const state = frame.state
  const alpha = frame.number(0)
  const filter = Filter.at(state)
  const history = state.from(Filter.size)
  const prices = frame.scratch(0).from(3 - from)
  const smooth = frame.scratch(1).from(-from)
  medianPrices(frame.input(0), frame.input(1), prices, from, to)
  for (let k = 0; k < 3; k++) prices[from - 1 - k] = from === 0 ? prices[0] : history[k]
  for (let k = 0; k < 3; k++) history[k] = prices[to - 1 - k]
  for (let i = from; i < to; i++)
    smooth[i] = (prices[i] + 2 * prices[i - 1] + 2 * prices[i - 2] + prices[i - 3]) / 6
  if (from === 0) {
    const gain = (1 - alpha / 2) * (1 - alpha / 2)
    filter.forward(gain, -2 * gain, gain, 0)
    filter.feedback(2 * (1 - alpha), -(1 - alpha) * (1 - alpha), 0)
    history[3] = 0
  }
  let last = history[3]
  for (let i = from; i < min(to, 6); i++) {
    value[i] = (prices[i] - 2 * prices[i - 1] + prices[i - 2]) / 4
    filter.push(smooth[i], value[i])
  }
  filter.run(smooth, value, max(from, 6), to, 0, false)
  for (let i = from; i < to; i++) {
    trigger[i] = last
    last = value[i]
  }
  history[3] = last
  warmup(value, from, to, 6)
  warmup(trigger, from, to, 6)
}
