import { Frame } from '../../frame'
import { exponentialAverage } from '../../parts/exponential'
import { restoreOverlap, saveOverlap } from '../../parts/overlap'
import { weightOf } from '../../parts/present-average'
import { movingMean } from '../../parts/sums'
import { warmup } from '../../parts/warmup'

/**
 * TRIX with Signal and Histogram: the change of the triple exponential average in per cent, its mean over `signalPeriod`
 * candles, and the difference of the two.
 * Source: Hutson, Stocks & Commodities (1983); pandas-ta-classic trixh.
 */
export function trixhistogram(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const signal = frame.output(1)
  const histogram = frame.output(2)
  const state = frame.state
  const period = frame.integer(0)
  const tail = frame.integer(1) - 1
  const means = frame.scratch(0).from(-from)
  const values = frame.scratch(1).from(tail - from)
  exponentialAverage(frame.input(0), 0, means, from, to, period, weightOf(period), state)
  exponentialAverage(means, period - 1, means, from, to, period, weightOf(period), state.from(1))
  exponentialAverage(means, 2 * (period - 1), means, from, to, period, weightOf(period), state.from(2))
  restoreOverlap(values, from, tail, state.from(4), from === 0)
  let before = from === 0 ? NaN : state[3]
  for (let i = from; i < to; i++) {
    const change = before !== 0 ? (100 * (means[i] - before)) / before : NaN
    values[i] = change
    value[i] = change
    before = means[i]
  }
  state[3] = before
  saveOverlap(values, to, tail, state.from(4))
  const lookback = 3 * period - 2
  warmup(value, from, to, lookback)
  const first = warmup(signal, from, to, lookback + tail)
  movingMean(values, lookback, signal, first, to, tail + 1, frame.scratch(2))
  for (let i = from; i < to; i++) histogram[i] = value[i] - signal[i]
}
