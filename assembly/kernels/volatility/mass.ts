import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'

/**
 * Mass Index: the sum over `period` candles of the exponential average of high − low divided by its own exponential
 * average, both over nine candles.
 * Each average is seeded with its first value, the second one at the ninth candle.
 * Source: Dorsey, Stocks & Commodities (June 1992); Tulip Indicators mass.
 */
export function mass(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const tail = period - 1
  const ratios = frame.scratch(0).from(tail - from)
  restoreOverlap(ratios, from, tail, state.from(2), from === 0)
  const alpha = 0.2
  const keep = 1 - alpha
  let single = from === 0 ? high[0] - low[0] : state[0]
  let double = from === 0 ? 0 : state[1]
  let i = from
  for (const end = min(to, 16); i < end; i++) {
    single = single * keep + (high[i] - low[i]) * alpha
    double = i > 8 ? double * keep + single * alpha : single
    ratios[i] = 0
  }
  for (; i < to; i++) {
    single = single * keep + (high[i] - low[i]) * alpha
    double = double * keep + single * alpha
    ratios[i] = double !== 0 ? single / double : 1
  }
  state[0] = single
  state[1] = double
  saveOverlap(ratios, to, tail, state.from(2))
  const first = warmup(out, from, to, 15 + period)
  movingSum(ratios, 16, out, first, to, period, frame.scratch(1))
}
