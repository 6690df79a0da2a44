import { Frame } from '../../frame'
import { movingLine, movingSlope } from '../../parts/regression'
import { residualSquares } from '../../parts/residuals'
import { warmup } from '../../parts/warmup'

/**
 * Standard Error of the linear regression: the root of the squared distances of the last `period` values from their line
 * of least squares, added up and divided by period − 2.
 * The `stderr` of Tulip is the error of the mean.
 * Source: QuanTAlib Stderr; statsmodels OLS.
 */
export function linregstderr(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const line = frame.scratch(0).from(-first)
  const slope = frame.scratch(1).from(-first)
  movingLine(x, 0, line, first, to, period, 0, frame.scratch(2))
  movingSlope(x, 0, slope, first, to, period, frame.scratch(2))
  residualSquares(x, line, slope, out, first, to, period)
  for (let i = first; i < to; i++) out[i] = sqrt(out[i] / <f64>(period - 2))
}
