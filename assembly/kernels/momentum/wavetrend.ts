import { Column, Frame } from '../../frame'
import { decayed, feed } from '../../parts/averages/decayed-sums'
import { weightOf } from '../../parts/averages/present-average'
import { Segments } from '../../parts/averages/segments'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { areRounding, isRounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/** Numbers of state of the averages. */
const averageNumbers = 4

/** Index in the state of the newest values, for the signal. */
const tails = averageNumbers

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
  const high = frame.input(0)
  const low = frame.input(1)
  const close = frame.input(2)
  const alpha = weightOf(channel)
  if (from <= lookback && lookback < to) {
    // The averages become decayed sums, in whose place they stand.
    state[3] = (high[lookback] + low[lookback] + close[lookback]) / 3
    state[0] = alpha !== 1 ? (state[3] - state[0]) / (1 - alpha) : 0
    state[1] /= alpha
  }
  if (first < to) valuesAfter(high, low, close, values, first, to, alpha, weightOf(period), state)
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
  const averages = frame.state
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
  return averages[2]
}

/** Typical prices of the candles `i` and `i + 1`. */
function typicalPrices(high: Column, low: Column, close: Column, i: i32): v128 {
  return f64x2.div(f64x2.add(f64x2.add(high.pair(i), low.pair(i)), close.pair(i)), f64x2.splat(3))
}

/** The values of the candles after the seeds. State: the decayed sums of changes and of sizes, the value, and the price. */
function valuesAfter(
  high: Column,
  low: Column,
  close: Column,
  out: Column,
  from: i32,
  to: i32,
  alpha: f64,
  valueAlpha: f64,
  state: Column,
): void {
  Segments.interleave(min(alpha, valueAlpha), averageNumbers)
  const keep = f64x2.splat(1 - alpha)
  const scale = f64x2.splat(0.015 * alpha)
  const valueKeep = f64x2.splat(1 - valueAlpha)
  const weight = f64x2.splat(valueAlpha)
  const zero = f64x2.splat(0)
  let lags = Segments.number(state, 0)
  let sizes = Segments.number(state, 1)
  let value = Segments.number(state, 2)
  let price = Segments.number(state, 3)
  for (let i = from; i < to; i++) {
    const typical = Segments.lanes(typicalPrices(high, low, close, i))
    lags = decayed(lags, f64x2.sub(typical, price), keep)
    price = typical
    // How far the price lies above its average.
    const lag = f64x2.mul(keep, lags)
    const distance = v128.andnot(lag, areRounding(f64x2.abs(lag), price))
    sizes = decayed(sizes, f64x2.abs(distance), keep)
    const unit = f64x2.mul(sizes, scale)
    const ratio = v128.and(f64x2.div(distance, unit), f64x2.gt(unit, zero))
    value = decayed(value, f64x2.mul(ratio, weight), valueKeep)
    Segments.write(out, i, value)
  }
  Segments.setNumber(state, 0, lags)
  Segments.setNumber(state, 1, sizes)
  Segments.setNumber(state, 2, value)
  Segments.setNumber(state, 3, price)
}
