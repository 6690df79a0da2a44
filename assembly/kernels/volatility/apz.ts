import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { weightOf } from '../../parts/averages/present-average'
import { difference } from '../../parts/numbers/difference'
import { bandsAround } from '../../parts/shared/bands'

/**
 * Adaptive Price Zone: the close, smoothed exponentially twice over √`period` candles (rounded up), and `multiplier`
 * ranges (high − low), smoothed likewise, above and below it.
 * Averages are seeded with means; QuanTAlib does not round the root.
 * Source: Leibfarth, Trading With An Adaptive Price Zone, Stocks & Commodities (September 2006).
 */
export function apz(frame: Frame, from: i32, to: i32): void {
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const state = frame.state
  const period = <i32>Math.ceil(Math.sqrt(frame.number(0)))
  const weight = weightOf(period)
  difference(frame.input(0), frame.input(1), upper, from, to)
  exponentialAverage(frame.input(2), 0, lower, from, to, period, weight, state)
  exponentialAverage(lower, period - 1, middle, from, to, period, weight, state.from(exponentialState))
  exponentialAverage(upper, 0, lower, from, to, period, weight, state.from(2 * exponentialState))
  exponentialAverage(lower, period - 1, upper, from, to, period, weight, state.from(3 * exponentialState))
  bandsAround(middle, upper, lower, from, to, frame.number(1))
}
