import { Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'
import { movingLine, movingSlope } from '../../parts/windows/regression'
import { residualSquares } from '../../parts/windows/residuals'

/**
 * Standard Deviation Channel: the end of the line of least squares through the last `period` values, and `stddev`
 * standard deviations above and below it: of the values (`price`), or of their distances from the line (`residual`).
 * Deviations of the population. Never redrawn (Skender redraws stretches of `period` candles).
 * Source: Skender.Stock.Indicators StdDevChannels; QuanTAlib Sdchannel.
 */
export function stddevchannel(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const upper = frame.output(0)
  const middle = frame.output(1)
  const lower = frame.output(2)
  const period = frame.integer(0)
  const width = frame.number(1)
  const isResidual = frame.integer(2) === 1
  const first = warmup(middle, from, to, period - 1)
  warmup(upper, from, to, period - 1)
  warmup(lower, from, to, period - 1)
  if (first >= to) return
  const suffixes = frame.scratch(0)
  if (isResidual) {
    movingSlope(x, 0, lower, first, to, period, suffixes)
    movingLine(x, 0, middle, first, to, period, 0, suffixes)
    residualSquares(x, middle, lower, upper, first, to, period)
    for (let i = first; i < to; i++) upper[i] = sqrt(upper[i] / <f64>period)
  } else {
    deviation(x, 0, middle, upper, first, to, period, suffixes)
    movingLine(x, 0, middle, first, to, period, 0, suffixes)
  }
  for (let i = first; i < to; i++) {
    const half = width * upper[i]
    upper[i] = middle[i] + half
    lower[i] = middle[i] - half
  }
}
