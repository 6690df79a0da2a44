import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { difference } from '../../parts/numbers/difference'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { withMeanSignal } from '../../parts/windows/mean-signal'

/**
 * TRIX with Signal and Histogram: the change of the triple exponential average in percent, its mean over `signalPeriod`
 * candles, and the difference of the two.
 * Source: Hutson, Stocks & Commodities (1983); pandas-ta-classic trixh.
 */
export function trixhistogram(frame: Frame, from: i32, to: i32): void {
  const state = frame.state
  const last = state.from(3 * exponentialState)
  const period = frame.integer(0)
  const tail = frame.integer(1) - 1
  const means = frame.scratch(0).from(-from)
  const values = frame.scratch(1).from(tail - from)
  exponentialAverage(frame.input(0), 0, means, from, to, period, weightOf(period), state)
  exponentialAverage(
    means,
    period - 1,
    means,
    from,
    to,
    period,
    weightOf(period),
    state.from(exponentialState),
  )
  exponentialAverage(
    means,
    2 * (period - 1),
    means,
    from,
    to,
    period,
    weightOf(period),
    state.from(2 * exponentialState),
  )
  restoreOverlap(values, from, tail, last.from(1), from === 0)
  let before = from === 0 ? NaN : last[0]
  for (let i = from; i < to; i++) {
    values[i] = before !== 0 ? (100 * (means[i] - before)) / before : NaN
    before = means[i]
  }
  last[0] = before
  saveOverlap(values, to, tail, last.from(1))
  withMeanSignal(frame, values, 3 * period - 2, from, to, tail + 1, frame.scratch(2))
  difference(frame.output(0), frame.output(1), frame.output(2), from, to)
}
