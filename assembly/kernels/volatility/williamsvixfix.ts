import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax } from '../../parts/windows/extremes'

/**
 * Williams VIX Fix: the distance of the low below the highest close of `period` candles, in percent of that close.
 * No value where that close is 0.
 * Source: Larry Williams, The VIX Fix, Active Trader (December 2007).
 */
export function williamsvixfix(frame: Frame, from: i32, to: i32): void {
  const low = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const peaks = frame.scratch(0).from(-first)
  movingMax(frame.input(1), 0, peaks, first, to, period, frame.scratch(1))
  for (let i = first; i < to; i++) {
    const peak = peaks[i]
    out[i] = peak !== 0 ? 100 * ((peak - low[i]) / peak) : NaN
  }
}
