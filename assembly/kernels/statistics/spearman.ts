import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { rankCorrelation, slideRanks } from '../../parts/windows/ranks'

/**
 * Spearman Rank Correlation: Pearson's correlation of the ranks of the values of two columns within the last `period`
 * candles. Equal values share the mean of their ranks.
 * The columns are high and low by default; 0 where one of them is flat.
 * Source: Spearman, The Proof and Measurement of Association between Two Things (1904); scipy.stats.spearmanr.
 */
export function spearman(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const y = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const isFresh = from === 0
  const xRanks = frame.scratch(0).from(period - from)
  const yRanks = frame.scratch(1).from(period - from)
  restoreOverlap(xRanks, from, period, state.from(2), isFresh)
  restoreOverlap(yRanks, from, period, state.from(2 + period), isFresh)
  const first = warmup(out, from, to, period - 1)
  for (let i = from; i < to; i++) {
    slideRanks(x, xRanks, i, period, i === from && !isFresh ? state[0] : i < period ? NaN : x[i - period])
    slideRanks(y, yRanks, i, period, i === from && !isFresh ? state[1] : i < period ? NaN : y[i - period])
    if (i >= first) out[i] = rankCorrelation(x, y, xRanks, yRanks, i, period)
  }
  state[0] = to < period ? NaN : x[to - period]
  state[1] = to < period ? NaN : y[to - period]
  saveOverlap(xRanks, to, period, state.from(2))
  saveOverlap(yRanks, to, period, state.from(2 + period))
}
