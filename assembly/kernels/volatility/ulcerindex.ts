import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { movingMax } from '../../parts/windows/extremes'
import { movingMean } from '../../parts/windows/sums'

/**
 * Ulcer Index: the root mean square over `period` candles of the distance of the value below its peak, in percent.
 * With `rolling` the peak of a candle is the highest of the `period` values up to it; with `window` (Martin's own) it
 * is the highest since the first candle of the window. No value where a peak is 0.
 * Source: Martin and McCann, The Investor's Guide to Fidelity Funds (1989); StockCharts, Ulcer Index.
 */
export function ulcerindex(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const isRolling = frame.integer(1) === 0
  const first = warmup(out, from, to, isRolling ? 2 * period - 2 : period - 1)
  if (first >= to) return
  if (isRolling) {
    const oldest = first - period + 1
    const squares = frame.scratch(0).from(-oldest)
    movingMax(x, 0, squares, oldest, to, period, frame.scratch(1))
    for (let i = oldest; i < to; i++) squares[i] = squareOf(x[i], squares[i])
    movingMean(squares, period - 1, out, first, to, period, frame.scratch(1))
    for (let i = first; i < to; i++) out[i] = sqrt(out[i])
    return
  }
  for (let i = first; i < to; i++) {
    let peak = -Infinity
    let sum: f64 = 0
    for (let k = i - period + 1; k <= i; k++) {
      peak = max(peak, x[k])
      sum += squareOf(x[k], peak)
    }
    out[i] = sqrt(sum / <f64>period)
  }
}

/** The square of the distance from a peak in per cent. */
function squareOf(value: f64, peak: f64): f64 {
  const fall = peak !== 0 ? (100 * (value - peak)) / peak : NaN
  return fall * fall
}
