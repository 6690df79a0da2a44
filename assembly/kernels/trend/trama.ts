import { Frame } from '../../frame'
import { restoreOverlap, saveOverlap } from '../../parts/numbers/overlap'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax, movingMin } from '../../parts/windows/extremes'
import { movingMean } from '../../parts/windows/sums'

/**
 * Trend Regularity Adaptive Moving Average: an exponential average of the close whose weight is the square of the share
 * of the last `period` candles at which the highest high rose or the lowest low fell.
 * The extremes are those of highs and lows over `period` candles (QuanTAlib uses closes). Starts as the close before
 * the first result.
 * Source: LuxAlgo, Trend Regularity Adaptive Moving Average (TradingView).
 */
export function trama(frame: Frame, from: i32, to: i32): void {
  const close = frame.input(2)
  const out = frame.output(0)
  const state = frame.state
  const period = frame.integer(0)
  const tail = period - 1
  const suffixes = frame.scratch(2)
  const saved = state.from(1)
  const extremes = frame.scratch(0).from(1 - from)
  const flags = frame.scratch(1).from(tail - from)
  restoreOverlap(flags, from, tail, saved, from === 0)
  const start = max(from, period)
  for (let i = from; i < to; i++) flags[i] = 0
  if (start < to) {
    movingMax(frame.input(0), 0, extremes, start - 1, to, period, suffixes)
    for (let i = start; i < to; i++) if (extremes[i] > extremes[i - 1]) flags[i] = 1
    movingMin(frame.input(1), 0, extremes, start - 1, to, period, suffixes)
    for (let i = start; i < to; i++) if (extremes[i] < extremes[i - 1]) flags[i] = 1
  }
  saveOverlap(flags, to, tail, saved)
  const first = warmup(out, from, to, 2 * period - 1)
  movingMean(flags, period, out, first, to, period, suffixes)
  const seed = 2 * period - 2
  let mean = from > seed ? state[0] : to > seed ? close[seed] : 0
  for (let i = first; i < to; i++) {
    mean += out[i] * out[i] * (close[i] - mean)
    out[i] = mean
  }
  state[0] = mean
}
