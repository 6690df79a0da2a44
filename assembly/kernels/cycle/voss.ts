import { Frame } from '../../frame'
import { Filter, setBandPass } from '../../parts/averages/recursive-filter'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Voss Predictor: a band-pass filter around cycles of `period` candles, and the filter by Voss that looks ahead of it
 * by `predict` candles: (3 + order) / 2 times the band-pass minus its own last values with rising weights, where the
 * order is three times `predict`.
 * The band-pass filter is 0 for the first five candles.
 * Source: Ehlers, A Peek Into the Future, Stocks & Commodities (August 2019).
 */
export function voss(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const band = frame.output(1)
  const state = frame.state
  const period = frame.integer(0)
  const order = 3 * frame.integer(1)
  const filter = Filter.at(state)
  const saved = state.from(Filter.size)
  const values = frame.scratch(0).from(order - from)
  if (from === 0) setBandPass(filter, period, frame.number(2))
  restoreOverlap(values, from, order, saved, from === 0)
  filter.run(frame.input(0), band, from, to, 5, false)
  const gain = <f64>(3 + order) / 2
  const share = 1 / <f64>order
  for (let i = from; i < to; i++) {
    let known: f64 = 0
    for (let k = 1; k <= order; k++) known += <f64>k * values[i - order + k - 1]
    const next = gain * band[i] - known * share
    values[i] = next
    value[i] = next
  }
  saveOverlap(values, to, order, saved)
  const lookback = max(period - 1, 5)
  warmup(value, from, to, lookback)
  warmup(band, from, to, lookback)
}
