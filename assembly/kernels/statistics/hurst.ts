import { Frame } from '../../frame'
import { expectedRange, rescaledRanges } from '../../parts/rescaled-range'
import { logReturns } from '../../parts/returns'
import { warmup } from '../../parts/warmup'

/** The shortest chunk, and the most chunks of one length. */
const shortest: i32 = 8
const mostChunks: i32 = 32

/**
 * Hurst Exponent by the rescaled range: the last `period` logarithmic returns are cut into 1, 2, 4 … 32 chunks of at least
 * 8; the value is the slope of the line of least squares of the logarithm of the mean rescaled range on the logarithm of
 * the length of the chunks. `corrected` puts √(πn/2) in the place of the range that Anis and Lloyd expect.
 * No value while a price of the window is not positive or a chunk has equal returns only.
 * Lean and QuanTAlib have other estimators.
 * Source: Skender.Stock.Indicators Hurst; Anis and Lloyd (1976).
 */
export function hurst(frame: Frame, from: i32, to: i32): void {
  const value = frame.output(0)
  const corrected = frame.output(1)
  const period = frame.integer(0)
  const first = warmup(value, from, to, period)
  warmup(corrected, from, to, period)
  if (first >= to) return
  const oldest = first - period + 1
  const returns = frame.scratch(0).from(-oldest)
  const ranges = frame.scratch(1).from(-oldest)
  logReturns(frame.input(0), returns, oldest, to)
  let scales: f64 = 0
  let mean: f64 = 0
  for (let q = 1; q <= mostChunks && period / q >= shortest; q *= 2) {
    scales += 1
    mean += Math.log(<f64>(period / q))
  }
  mean /= scales
  let spread: f64 = 0
  for (let q = 1; q <= mostChunks && period / q >= shortest; q *= 2) {
    const distance = Math.log(<f64>(period / q)) - mean
    spread += distance * distance
  }
  for (let i = first; i < to; i++) {
    value[i] = 0
    corrected[i] = 0
  }
  for (let q = 1; q <= mostChunks && period / q >= shortest; q *= 2) {
    const length = period / q
    const weight = (Math.log(<f64>length) - mean) / spread
    const correction = sqrt((Math.PI * <f64>length) / 2) - expectedRange(length)
    rescaledRanges(returns, ranges, first, to, length, q)
    for (let i = first; i < to; i++) {
      let sum: f64 = 0
      for (let m = 0; m < q; m++) sum += ranges[i - m * length]
      const range = sum / <f64>q
      value[i] += weight * Math.log(range)
      corrected[i] += weight * Math.log(range + correction)
    }
  }
}
