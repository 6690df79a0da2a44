import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { thirds } from '../../parts/numbers/thirds'
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
  if (from === to) return
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const value = frame.output(0)
  const state = frame.state
  const second = state.from(exponentialState)
  const third = state.from(2 * exponentialState)
  const last = state.from(3 * exponentialState)
  const channel = frame.integer(0)
  const period = frame.integer(1)
  const tail = frame.integer(2) - 1
  const prices = frame.scratch(0).from(-from)
  const sizes = frame.scratch(1).from(-from)
  const values = frame.scratch(2).from(tail - from)
  for (let i = from; i < to; i += 2) {
    const sum = f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i))
    prices.setPair(i, thirds(sum))
  }
  exponentialAverage(prices, 0, sizes, from, to, channel, weightOf(channel), state)
  const after = value[to]
  const isSame = from > 0 && prices[from] === last[0] && sizes[from] === last[1]
  value[from] = isSame ? 0 : prices[from] - sizes[from]
  values[from] = abs(value[from])
  for (let i = from + 1; i < to; i += 2) {
    const price = prices.pair(i)
    const mean = sizes.pair(i)
    const stands = v128.and(f64x2.eq(price, prices.pair(i - 1)), f64x2.eq(mean, sizes.pair(i - 1)))
    const distance = v128.andnot(f64x2.sub(price, mean), stands)
    value.setPair(i, distance)
    values.setPair(i, f64x2.abs(distance))
  }
  value[to] = after
  last[0] = prices[to - 1]
  last[1] = sizes[to - 1]
  exponentialAverage(values, channel - 1, sizes, from, to, channel, weightOf(channel), second)
  for (let i = from; i < to; i += 2) {
    const unit = f64x2.mul(f64x2.splat(0.015), sizes.pair(i))
    prices.setPair(i, v128.and(f64x2.div(value.pair(i), unit), f64x2.gt(unit, f64x2.splat(0))))
  }
  exponentialAverage(prices, 2 * channel - 2, values, from, to, period, weightOf(period), third)
  restoreOverlap(values, from, tail, last.from(2), from === 0)
  saveOverlap(values, to, tail, last.from(2))
  for (let i = from; i < to; i += 2) value.setPair(i, values.pair(i))
  value[to] = after
  const lookback = 2 * channel + period - 3
  const first = warmup(frame.output(1), from, to, lookback + tail)
  movingMean(values, lookback, frame.output(1), first, to, tail + 1, frame.scratch(3))
}
