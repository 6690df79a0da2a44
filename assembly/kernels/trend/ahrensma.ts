import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'

/**
 * Ahrens Moving Average: an average that moves by 1 / `period` of the distance from the value to m, where m is the
 * middle between the previous average and the one `period` candles before.
 * Starts as the first value; an average before the first candle is the value itself.
 * Source: Ahrens, Build a Better Moving Average, Stocks & Commodities (October 2013).
 */
export function ahrensma(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const share = 1 / <f64>period
  const means = frame.scratch(0).from(period - from)
  restoreOverlap(means, from, period, frame.state, from === 0)
  if (from === 0) means[-1] = x[0]
  for (let i = from; i < to; i++) {
    const before = i < period ? x[i] : means[i - period]
    means[i] = means[i - 1] + share * (x[i] - (means[i - 1] + before) / 2)
  }
  saveOverlap(means, to, period, frame.state)
  for (let i = warmup(out, from, to, period - 1); i < to; i++) out[i] = means[i]
}
