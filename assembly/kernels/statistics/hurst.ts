import { Frame } from '../../frame'
import { logarithms } from '../../parts/logarithm'
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
  const afterValue = value[to]
  const afterCorrected = corrected[to]
  for (let i = first; i < to; i++) {
    value[i] = 0
    corrected[i] = 0
  }
  for (let q = 1; q <= mostChunks && period / q >= shortest; q *= 2) {
    const length = period / q
    const weight = f64x2.splat((Math.log(<f64>length) - mean) / spread)
    const correction = f64x2.splat(sqrt((Math.PI * <f64>length) / 2) - expectedRange(length))
    const share = f64x2.splat(<f64>q)
    rescaledRanges(returns, ranges, first, to, length, q)
    for (let i = first; i < to; i += 2) {
      let sum = ranges.pair(i)
      for (let m = 1; m < q; m++) sum = f64x2.add(sum, ranges.pair(i - m * length))
      const range = f64x2.div(sum, share)
      const other = f64x2.add(range, correction)
      value.setPair(i, f64x2.add(value.pair(i), f64x2.mul(weight, logarithms(range))))
      corrected.setPair(i, f64x2.add(corrected.pair(i), f64x2.mul(weight, logarithms(other))))
    }
  }
  value[to] = afterValue
  corrected[to] = afterCorrected
}
