import { Column, Frame } from '../../frame'
import { beginDecay, decayed, feed, saveNewest, shifted } from '../../parts/averages/decayed-sums'
import { weightOf } from '../../parts/averages/present-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { areRounding, isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/** Index in the state of the averages of price, size and value while they are seeded, and of the previous price. */
const seeds = 14

/** Index in the state of the newest values, for the signal. */
const tails = seeds + 4

/**
 * WaveTrend Oscillator: the distance of the typical price from its exponential average in units of 0.015 of its own
 * smoothed size, smoothed again over `averagePeriod` candles; `signal` is the mean of the value.
 * Averages are seeded with means (the script starts with the first value). A distance that is no more than rounding of the
 * price is 0. Where there is no size the ratio is 0.
 * Source: LazyBear, WaveTrend Oscillator (TradingView); TA-Lib 0.8.3 WAVETREND.
 */
export function wavetrend(frame: Frame, from: i32, to: i32): void {
  if (from === to) return
  const value = frame.output(0)
  const state = frame.state
  const channel = frame.integer(0)
  const period = frame.integer(1)
  const tail = frame.integer(2) - 1
  const values = frame.scratch(0).from(tail - from)
  const lookback = 2 * channel + period - 3
  const first = max(from, min(to, lookback + 1))
  for (let i = from; i < first; i++) values[i] = seededValue(frame, i, channel, period)
  if (from <= lookback && lookback < to) begin(channel, state.from(seeds), state)
  const end = first + ((to - first) & ~1)
  if (first < end) valuesOfPairs(frame, values, first, end, channel, period)
  if (end < to) valuesOfPairs(frame, values, end, to, channel, period)
  restoreOverlap(values, from, tail, state.from(tails), from === 0)
  saveOverlap(values, to, tail, state.from(tails))
  const after = value[to]
  for (let i = from; i < to; i += 2) value.setPair(i, values.pair(i))
  value[to] = after
  warmup(value, from, to, lookback)
  const signaled = warmup(frame.output(1), from, to, lookback + tail)
  movingMean(values, lookback, frame.output(1), signaled, to, tail + 1, frame.scratch(1))
}

/** The value of a candle up to the one that seeds the last average; before that one it has no meaning. */
function seededValue(frame: Frame, i: i32, channel: i32, period: i32): f64 {
  const averages = frame.state.from(seeds)
  const price = (frame.input(0)[i] + frame.input(1)[i] + frame.input(2)[i]) / 3
  feed(price, i, 0, channel, weightOf(channel), averages)
  if (i >= channel - 1) {
    const exact = price - averages[0]
    const distance = isRounding(abs(exact), price) ? 0 : exact
    feed(abs(distance), i, channel - 1, channel, weightOf(channel), averages.from(1))
    const unit = 0.015 * averages[1]
    const ratio = unit > 0 ? distance / unit : 0
    if (i >= 2 * channel - 2) feed(ratio, i, 2 * channel - 2, period, weightOf(period), averages.from(2))
  }
  averages[3] = price
  return averages[2]
}

/**
 * Writes the state that follows the seeded averages. In pairs: the price, its change, the decayed sum of that; the size
 * and its decayed sum; the weighted ratio and the value. The sums do not include this candle.
 */
function begin(channel: i32, averages: Column, state: Column): void {
  const alpha = weightOf(channel)
  const keep = 1 - alpha
  const zero = f64x2.splat(0)
  const value = averages[2]
  state.setPair(0, f64x2.splat(averages[3]))
  state.setPair(2, zero)
  beginDecay(state.from(4), keep !== 0 ? (averages[3] - averages[0]) / keep : 0, 0, keep)
  state.setPair(6, zero)
  beginDecay(state.from(8), averages[1] / alpha, 0, keep)
  // The previous value counts as the weighted ratio of its candle, so the next value is value·keep plus its own ratio.
  state.setPair(10, f64x2.splat(value))
  state.setPair(12, f64x2.replace_lane(zero, 1, value))
}

/** The values of whole pairs of candles, or of a single candle. */
function valuesOfPairs(frame: Frame, values: Column, from: i32, to: i32, channel: i32, period: i32): void {
  const isSingle = to - from === 1
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const state = frame.state
  const keep = f64x2.splat(1 - weightOf(channel))
  const twice = f64x2.mul(keep, keep)
  const scale = f64x2.splat(0.015 * weightOf(channel))
  const valueKeep = f64x2.splat(1 - weightOf(period))
  const valueTwice = f64x2.mul(valueKeep, valueKeep)
  const weight = f64x2.splat(weightOf(period))
  const zero = f64x2.splat(0)
  let prices = state.pair(0)
  let changes = state.pair(2)
  let lags = state.pair(4)
  let sizes = state.pair(6)
  let sums = state.pair(8)
  let parts = state.pair(10)
  let value = state.pair(12)
  for (let i = from; i < to; i += 2) {
    const price = f64x2.div(f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i)), f64x2.splat(3))
    const change = f64x2.sub(price, shifted(prices, price))
    lags = decayed(lags, change, shifted(changes, change), keep, twice)
    // How far the price lies above its average.
    const lag = f64x2.mul(keep, lags)
    const distance = v128.andnot(lag, areRounding(f64x2.abs(lag), price))
    const size = f64x2.abs(distance)
    sums = decayed(sums, size, shifted(sizes, size), keep, twice)
    const unit = f64x2.mul(sums, scale)
    const part = f64x2.mul(v128.and(f64x2.div(distance, unit), f64x2.gt(unit, zero)), weight)
    value = decayed(value, part, shifted(parts, part), valueKeep, valueTwice)
    prices = price
    changes = change
    sizes = size
    parts = part
    values.setPair(i, value)
  }
  saveNewest(state, prices, isSingle)
  saveNewest(state.from(2), changes, isSingle)
  saveNewest(state.from(4), lags, isSingle)
  saveNewest(state.from(6), sizes, isSingle)
  saveNewest(state.from(8), sums, isSingle)
  saveNewest(state.from(10), parts, isSingle)
  saveNewest(state.from(12), value, isSingle)
}
