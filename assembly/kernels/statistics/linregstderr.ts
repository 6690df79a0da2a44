import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { lineErrors } from '../../parts/windows/residuals'

/**
 * Standard Error of the linear regression: the root of S / (period − 2), where S is the sum of the squared distances of
 * the last `period` values from their line of least squares. Tulip's `stderr` is the error of the mean.
 * Source: QuanTAlib Stderr; statsmodels OLS.
 */
export function linregstderr(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const lines = frame.scratch(0).from(-first)
  const slopes = frame.scratch(1).from(-first)
  lineErrors(x, out, first, to, period, lines, slopes, frame.scratch(2))
}
