import { Frame } from '../../frame'
import { Filter, setSuperSmoother } from '../../parts/averages/recursive-filter'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Deviation Scaled Moving Average: an exponential average whose weight is 5 / period times the size of the smoothed
 * change over two candles in units of its root mean square over `period` candles, at most 1.
 * Starts as the first value; the change is smoothed over period / 2 candles (QuanTAlib smooths the distance from the
 * average instead).
 * Source: Ehlers, The Deviation-Scaled Moving Average, Stocks & Commodities (July 2018).
 */
export function dsma(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const size = <f64>period
  const filter = Filter.at(state)
  const saved = state.from(Filter.size + 3)
  const smooth = frame.scratch(0).from(-from)
  const squares = frame.scratch(1).from(period - 1 - from)
  const totals = frame.scratch(2).from(-from)
  if (from === 0) {
    setSuperSmoother(filter, size / 2)
    state[Filter.size] = x[0]
    state[Filter.size + 1] = x[0]
    state[Filter.size + 2] = x[0]
  }
  let mean = state[Filter.size]
  // The values one and two candles before.
  let before = state[Filter.size + 1]
  let second = state[Filter.size + 2]
  for (let i = from; i < to; i++) {
    smooth[i] = i < 2 ? 0 : x[i] - second
    second = before
    before = x[i]
  }
  filter.run(smooth, smooth, from, to, 2, true)
  restoreOverlap(squares, from, period - 1, saved, from === 0)
  for (let i = from; i < to; i++) squares[i] = smooth[i] * smooth[i]
  movingSum(squares, 1 - period, totals, from, to, period, frame.scratch(3))
  saveOverlap(squares, to, period - 1, saved)
  for (let i = from; i < to; i++) {
    const root = sqrt(totals[i] / size)
    const alpha = root > 0 ? min(1, (5 * abs(smooth[i] / root)) / size) : 0
    mean = alpha * x[i] + (1 - alpha) * mean
    out[i] = mean
  }
  state[Filter.size] = mean
  state[Filter.size + 1] = before
  state[Filter.size + 2] = second
  warmup(out, from, to, period - 1)
}
