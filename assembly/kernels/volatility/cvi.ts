import { Frame } from '../../frame'
import { exponentialAverage, exponentialState } from '../../parts/averages/exponential-average'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { percentAbove } from '../../parts/numbers/percent'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Chaikin's Volatility: the growth of the exponential average of high − low over `period` candles, in percent. The
 * average has the same period, as in Tulip; seeded with the first range; 0 after an average of 0.
 * Source: Tulip Indicators cvi.
 */
export function cvi(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const means = frame.scratch(0).from(period - from)
  const saved = state.from(exponentialState)
  const ranges = frame.scratch(1).from(-from)
  for (let i = from; i < to; i += 2) ranges.setPair(i, f64x2.sub(high.pair(i), low.pair(i)))
  exponentialAverage(ranges, 0, means, from, to, 1, 2 / <f64>(period + 1), state)
  restoreOverlap(means, from, period, saved, from === 0)
  saveOverlap(means, to, period, saved)
  const first = warmup(out, from, to, 2 * period - 1)
  percentAbove(means, means.from(-period), out, first, to, 0)
}
