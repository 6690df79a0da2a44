import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { percentAbove } from '../../parts/numbers/percent'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Chaikin's Volatility: by how many percent the exponential average of high − low grew over `period` candles.
 * One period for the average and the change, as in Tulip; seeded with the first range; 0 after an average of 0.
 * Source: Tulip Indicators cvi.
 */
export function cvi(frame: Frame, from: i32, to: i32): void {
  const high = frame.input(0)
  const low = frame.input(1)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const means = frame.scratch(0).from(period - from)
  restoreOverlap(means, from, period, state, from === 0)
  const alpha = 2 / <f64>(period + 1)
  const keep = 1 - alpha
  let mean = from === 0 ? high[0] - low[0] : means[from - 1]
  let i = from
  if (i === 0 && i < to) means[i++] = mean
  for (; i < to; i++) {
    mean = mean * keep + (high[i] - low[i]) * alpha
    means[i] = mean
  }
  saveOverlap(means, to, period, state)
  const first = warmup(out, from, to, 2 * period - 1)
  percentAbove(means, means.from(-period), out, first, to, 0)
}
