import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingSum } from '../../parts/windows/sums'
import { movingWeightedMean } from '../../parts/windows/weighted-means'

/**
 * Center of Gravity: minus the mean of 1 … period, where each is weighted by the value that many candles back (1 for the
 * newest).
 * As TradingView has it; Ehlers adds (period + 1) / 2, and jesse and VectorTA leave the oldest value out.
 * Source: Ehlers, The CG Oscillator, Stocks & Commodities (May 2002); pandas-ta-classic cg.
 */
export function cog(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const size = <f64>period
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const sums = frame.scratch(0).from(-first)
  movingSum(x, 0, sums, first, to, period, frame.scratch(1))
  movingWeightedMean(x, 0, out, first, to, period, frame.scratch(1))
  const weights = (size * (size + 1)) / 2
  for (let i = first; i < to; i++) out[i] = (out[i] * weights) / sums[i] - (size + 1)
}
