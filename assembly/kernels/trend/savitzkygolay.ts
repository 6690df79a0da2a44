import { Frame } from '../../frame'
import { fitWeights } from '../../parts/windows/polynomial-weights'
import { weightedMean } from '../../parts/windows/weighted-window'

/**
 * Savitzky-Golay Filter: the polynomial of degree `polyOrder` that fits the values of the window best (least squares), in
 * the middle of the window.
 * An even period counts as the odd number below it; the newest candles are the window, so the line lags by half of it.
 * Every degree is fitted (QuanTAlib rounds its table of small windows).
 * Source: Savitzky and Golay, Analytical Chemistry 36 (1964); QuanTAlib sgf.
 */
export function savitzkygolay(frame: Frame, from: i32, to: i32): void {
  const half = (frame.integer(0) - 1) >> 1
  const count = 2 * half + 1
  const weights = frame.state
  if (from === 0) fitWeights(weights, count, frame.integer(1), 0)
  weightedMean(frame.input(0), 0, frame.output(0), from, to, weights, count)
}
