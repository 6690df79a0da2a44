import { Column, Frame } from '../../frame'
import { cell, eliminate, sumOfProducts } from '../../parts/numbers/elimination'
import { finite } from '../../parts/numbers/finite'
import { isRounding, rounding } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { movingMean } from '../../parts/windows/sums'

/**
 * Granger Causality of the second column for the first, as the statistic F. F compares two regressions over the last
 * `period` candles: of the first column on its own values 1 … `lag` candles before, and on these together with the same
 * values of the second column. The larger F, the more the second column adds.
 * The columns are close and volume by default; both regressions have a constant. No value where one of the variables is
 * explained by others, as where a column is flat.
 * Source: Granger, Econometrica 37 (1969); statsmodels grangercausalitytests.
 */
export function granger(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const y = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const lag = frame.integer(1)
  const first = warmup(out, from, to, period - 1 + lag)
  if (first >= to) return
  const oldest = first - lag
  const xMeans = frame.scratch(0).from(-oldest)
  const yMeans = frame.scratch(1).from(-oldest)
  const matrix = frame.scratch(3)
  const scales = frame.scratch(4)
  movingMean(x, 0, xMeans, oldest, to, period, frame.scratch(2))
  movingMean(y, 0, yMeans, oldest, to, period, frame.scratch(2))
  const size = 2 * lag + 1
  const freedom = <f64>(period - size)
  for (let i = first; i < to; i++) {
    writeSums(x, y, xMeans, yMeans, i, period, lag, matrix, scales)
    let explained: f64 = 0
    for (let p = 0; p < size - 1; p++) {
      const part = eliminate(matrix, size, p, scales[p])
      // Both regressions have the values of the first column.
      explained += p < lag && !isNaN(part) ? 0 : part
    }
    const rest = matrix[cell(size - 1, size - 1)]
    const isExplained = isRounding(rest, scales[size - 1])
    out[i] = isExplained ? NaN : finite(explained / <f64>lag / (rest / freedom))
  }
}

/**
 * Writes the sums of the products of all variables, without their means, to `matrix`, and the sums of their squares,
 * with their means, to `scales`. The variables are the values of the first column 1 … `lag` candles before, the same of
 * the second one, and the first column. All are differences from the mean of the newest window, so that little cancels.
 */
function writeSums(
  x: Column,
  y: Column,
  xMeans: Column,
  yMeans: Column,
  i: i32,
  period: i32,
  lag: i32,
  matrix: Column,
  scales: Column,
): void {
  const size = 2 * lag + 1
  const xMean = xMeans[i]
  const yMean = yMeans[i]
  // The sums of the variables, which the squares overwrite later.
  for (let k = 0; k < size; k++) {
    const j = i - shiftOf(k, lag)
    scales[k] = <f64>period * (isSecond(k, lag) ? yMeans[j] - yMean : xMeans[j] - xMean)
  }
  for (let row = 0; row < size; row++) {
    for (let k = 0; k <= row; k++)
      matrix[cell(row, k)] = productOf(x, y, i, row, k, xMean, yMean, period, lag)
  }
  const share = 1 / <f64>period
  for (let row = size - 1; row >= 0; row--) {
    const square = matrix[cell(row, row)]
    for (let k = 0; k <= row; k++) matrix[cell(row, k)] -= scales[row] * scales[k] * share
    // Sums are rounded relative to the mean, so a deviation below that is only rounding.
    const size = <f64>period * abs(isSecond(row, lag) ? yMean : xMean)
    scales[row] = square + size * max(sqrt(square / <f64>period), (rounding * size) / <f64>period)
  }
}

/** The sum of the products of two variables. */
function productOf(
  x: Column,
  y: Column,
  i: i32,
  one: i32,
  other: i32,
  xMean: f64,
  yMean: f64,
  period: i32,
  lag: i32,
): f64 {
  return sumOfProducts(
    isSecond(one, lag) ? y : x,
    i - shiftOf(one, lag),
    isSecond(one, lag) ? yMean : xMean,
    isSecond(other, lag) ? y : x,
    i - shiftOf(other, lag),
    isSecond(other, lag) ? yMean : xMean,
    period,
  )
}

/** Whether a variable belongs to the second column. */
function isSecond(variable: i32, lag: i32): bool {
  return variable >= lag && variable < 2 * lag
}

/** Number of candles by which a variable precedes the explained value. */
function shiftOf(variable: i32, lag: i32): i32 {
  return variable === 2 * lag ? 0 : (variable % lag) + 1
}
