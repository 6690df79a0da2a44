import { Column, Frame } from '../../frame'
import {
  beginPair,
  clearFirst,
  decayed,
  delayed,
  endPair,
  endsOdd,
  feed,
} from '../../parts/averages/decayed-sums'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { areRounding, isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/** Numbers of state of ratios: pairs of prices, changes, decayed sums of changes, distances, and decayed sums of distances. */
const ratioState = 10

/** Index in the state of the newest values, for the signal. */
const tails = ratioState + exponentialState

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
  clearFirst(from, state, ratioState)
  const channel = frame.integer(0)
  const period = frame.integer(1)
  const tail = frame.integer(2) - 1
  const values = frame.scratch(0).from(tail - from)
  const seeded = 2 * channel - 2
  const lookback = seeded + period - 1
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const alpha = weightOf(channel)
  const first = max(from, min(to, seeded + 1))
  for (let i = from; i < first; i++) {
    const price = (high[i] + low[i] + close[i]) / 3
    values[i] = seededRatio(price, i, channel, state)
    if (i === seeded) begin(price, alpha, state)
  }
  if (first < to) ratios(high, low, close, values, first, to, alpha, state)
  exponentialAverage(values, seeded, values, from, to, period, weightOf(period), state.from(ratioState))
  restoreOverlap(values, from, tail, state.from(tails), from === 0)
  saveOverlap(values, to, tail, state.from(tails))
  const after = value[to]
  for (let i = from; i < to; i += 2) value.setPair(i, values.pair(i))
  value[to] = after
  warmup(value, from, to, lookback)
  const signaled = warmup(frame.output(1), from, to, lookback + tail)
  movingMean(values, lookback, frame.output(1), signaled, to, tail + 1, frame.scratch(1))
}

/** The ratio of a candle up to the one that seeds both averages; before that one it has no meaning. */
function seededRatio(price: f64, i: i32, channel: i32, averages: Column): f64 {
  feed(price, i, 0, channel, weightOf(channel), averages)
  if (i < channel - 1) return NaN
  const exact = price - averages[0]
  const distance = isRounding(abs(exact), price) ? 0 : exact
  feed(abs(distance), i, channel - 1, channel, weightOf(channel), averages.from(1))
  const unit = 0.015 * averages[1]
  return unit > 0 ? distance / unit : 0
}

/** Typical prices of the candles `i` and `i + 1`. */
function typicalPrices(high: Column, low: Column, close: Column, i: i32): v128 {
  return f64x2.div(f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i)), f64x2.splat(3))
}

/** Replaces both averages, once seeded, by pairs of numbers. */
function begin(price: f64, alpha: f64, state: Column): void {
  const keep = 1 - alpha
  const sum = keep > 0 ? (price - state[0]) / keep : 0
  beginPair(state, 8, state[1] / alpha, 0, keep)
  beginPair(state, 6, 0, 0, 1)
  beginPair(state, 4, sum, 0, keep)
  beginPair(state, 2, 0, 0, 1)
  beginPair(state, 0, price, price, 1)
}

/** The ratios of the candles after the seeds. */
function ratios(
  high: Column,
  low: Column,
  close: Column,
  out: Column,
  from: i32,
  to: i32,
  alpha: f64,
  state: Column,
): void {
  if (endsOdd(from, to)) {
    ratios(high, low, close, out, from, to - 1, alpha, state)
    from = to - 1
  }
  const keep = f64x2.splat(1 - alpha)
  const square = f64x2.splat((1 - alpha) * (1 - alpha))
  const scale = f64x2.splat(0.015 * alpha)
  const zero = f64x2.splat(0)
  let prices = state.pair(0)
  let changes = state.pair(2)
  let sums = state.pair(4)
  let distances = state.pair(6)
  let sizes = state.pair(8)
  const after = out[to]
  for (let i = from; i < to; i += 2) {
    const price = typicalPrices(high, low, close, i)
    const change = f64x2.sub(price, delayed(prices, price))
    sums = decayed(sums, change, delayed(changes, change), keep, square)
    // How far the price lies above its average.
    const lag = f64x2.mul(sums, keep)
    const distance = v128.andnot(lag, areRounding(f64x2.abs(lag), price))
    sizes = decayed(sizes, f64x2.abs(distance), f64x2.abs(delayed(distances, distance)), keep, square)
    const unit = f64x2.mul(sizes, scale)
    out.setPair(i, v128.and(f64x2.div(distance, unit), f64x2.gt(unit, zero)))
    prices = price
    changes = change
    distances = distance
  }
  out[to] = after
  endPair(state, 0, prices, from, to)
  endPair(state, 2, changes, from, to)
  endPair(state, 4, sums, from, to)
  endPair(state, 6, distances, from, to)
  endPair(state, 8, sizes, from, to)
}
