import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * WaveTrend Oscillator: the distance of the typical price from its exponential average in units of 0.015 of its own
 * smoothed size, smoothed again over `averagePeriod` candles; `signal` is the mean of the value.
 * Averages are seeded with means (the script starts with the first value). A distance is 0 where price and average are what
 * they were at the candle before: what is left between the two is rounding. Where there is no size the ratio is 0.
 * Source: LazyBear, WaveTrend Oscillator (TradingView); TA-Lib 0.8.3 WAVETREND.
 */
export function wavetrend(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const state = frame.state
  const channel = frame.integer(0)
  const period = frame.integer(1)
  const tail = frame.integer(2) - 1
  const prices = frame.scratch(0).from(-from)
  const sizes = frame.scratch(1).from(-from)
  const values = frame.scratch(2).from(tail - from)
  for (let i = from; i < to; i++) prices[i] = (high[i] + low[i] + close[i]) / 3
  exponentialAverage(prices, 0, sizes, from, to, channel, weightOf(channel), state)
  let priceBefore = from === 0 ? 0 : state[3]
  let meanBefore = from === 0 ? 0 : state[4]
  for (let i = from; i < to; i++) {
    const price = prices[i]
    const mean = sizes[i]
    prices[i] = price === priceBefore && mean === meanBefore ? 0 : price - mean
    sizes[i] = abs(prices[i])
    priceBefore = price
    meanBefore = mean
  }
  state[3] = priceBefore
  state[4] = meanBefore
  exponentialAverage(sizes, channel - 1, sizes, from, to, channel, weightOf(channel), state.from(1))
  for (let i = from; i < to; i++) {
    const unit = 0.015 * sizes[i]
    prices[i] = unit > 0 ? prices[i] / unit : 0
  }
  exponentialAverage(prices, 2 * channel - 2, values, from, to, period, weightOf(period), state.from(2))
  restoreOverlap(values, from, tail, state.from(5), from === 0)
  saveOverlap(values, to, tail, state.from(5))
  for (let i = from; i < to; i++) value[i] = values[i]
  const lookback = 2 * channel + period - 3
  const first = warmup(frame.output(1), from, to, lookback + tail)
  movingMean(values, lookback, frame.output(1), first, to, tail + 1, frame.scratch(3))
}
