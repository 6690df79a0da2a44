import { Column, Frame } from '../../frame'
import { cell, eliminate, sumOfProducts } from '../../parts/numbers/elimination'
import { finite } from '../../parts/numbers/finite'
import { isMove } from '../../parts/numbers/tie'
import { warmup } from '../../parts/numbers/warmup'
import { deviation } from '../../parts/windows/deviation'

/** The values of `regression`. */
const withNothing: i32 = 0
const withTrend: i32 = 2

/**
 * Augmented Dickey-Fuller Statistic: a regression over the last `period` values explains each change by the previous
 * value, the previous `lags` changes, and a constant, a constant and the time, or nothing. The result is the
 * coefficient of the previous value divided by its standard error. With a constant, a value below −2.86 rejects a
 * random walk at 5 %. QuanTAlib chooses the lags and returns the probability. No value where all values are equal or
 * one variable explains another. Sums of the products of value and change are taken from the squares of the values at
 * both ends of the window.
 * Source: Said and Dickey, Biometrika 71 (1984); statsmodels adfuller.
 */
export function adf(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const out = frame.output(0)
  const period = frame.integer(0)
  const lags = frame.integer(1)
  const kind = frame.integer(2)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const count = period - 1 - lags
  const oldest = first - period + 2
  const changes = frame.scratch(0).from(-oldest)
  const means = frame.scratch(1).from(1 - first)
  const spreads = frame.scratch(2).from(1 - first)
  const matrix = frame.scratch(4)
  const scales = frame.scratch(5)
  for (let i = oldest; i < to; i += 2) changes.setPair(i, f64x2.sub(x.pair(i), x.pair(i - 1)))
  deviation(x, 0, means, spreads, first - 1, to - 1, count, frame.scratch(3))
  const others = lags + i32(kind === withTrend)
  const size = others + 2
  const freedom = <f64>(count - others - 1 - i32(kind !== withNothing))
  for (let i = first; i < to; i++) {
    const mean = means[i - 1]
    const square = <f64>count * spreads[i - 1] * spreads[i - 1]
    sumChanges(changes, i, count, lags, matrix, size)
    sumLevels(x, i, count, lags, mean, square, matrix, size)
    if (kind === withTrend) sumTimes(x, changes, i, count, lags, mean, matrix, size)
    if (kind === withNothing) measureFromZero(x, i, count, lags, mean, matrix, size)
    else measureFromMean(x, i, count, lags, matrix, size)
    // Sums are rounded relative to the value, so a deviation below that is only rounding.
    const level = sqrt(<f64>count) * abs(mean)
    for (let k = 0; k < size; k++) {
      const own = matrix[cell(k, k)]
      const isTime = kind === withTrend && k === lags
      scales[k] = isTime ? own : own + level * sqrt(max(own, 0))
    }
    out[i] = square > 0 ? statistic(matrix, scales, size, freedom) : NaN
  }
}

// The variables, in this order: the changes 1 … `lags` candles before, the time if requested, the previous value, and
// the explained change. Change k is in row k − 1, the explained one in the last row.

function rowOf(lag: i32, size: i32): i32 {
  return lag === 0 ? size - 1 : lag - 1
}

/** Index of the sum of products of two variables. */
function place(one: i32, other: i32): i32 {
  return cell(max(one, other), min(one, other))
}

/** Writes the products of changes. */
function sumChanges(changes: Column, i: i32, count: i32, lags: i32, matrix: Column, size: i32): void {
  for (let a = 0; a <= lags; a++) {
    for (let b = a; b <= lags; b++) {
      const sum = sumOfProducts(changes, i - a, 0, changes, i - b, 0, count)
      matrix[place(rowOf(a, size), rowOf(b, size))] = sum
    }
  }
}

/** Writes the square of the previous value and its products with changes, both without its mean. */
function sumLevels(
  x: Column,
  i: i32,
  count: i32,
  lags: i32,
  mean: f64,
  square: f64,
  matrix: Column,
  size: i32,
): void {
  const level = size - 2
  matrix[cell(level, level)] = square
  for (let lag = 0; lag <= lags; lag++) {
    const row = rowOf(lag, size)
    const last = x[i - lag] - mean
    const before = x[i - lag - count] - mean
    // v² − v'² = (2v' + d)·d = (2v − d)·d, added up over the window.
    const own = matrix[cell(row, row)]
    let sum = ((last - before) * (last + before) + (lag === 0 ? -own : own)) / 2
    for (let other = 1; other < lag; other++) sum += matrix[place(rowOf(other, size), row)]
    matrix[place(level, row)] = sum
  }
}

/** Writes the products with the time, counted from the middle of the window. */
function sumTimes(
  x: Column,
  changes: Column,
  i: i32,
  count: i32,
  lags: i32,
  mean: f64,
  matrix: Column,
  size: i32,
): void {
  const time = lags
  const n = <f64>count
  const middle = 0.5 * (n - 1)
  matrix[cell(time, time)] = (n * (n * n - 1)) / 12
  let sum: f64 = 0
  for (let k = 0; k < count; k++) sum += (middle - <f64>k) * (x[i - 1 - k] - mean)
  matrix[place(time, size - 2)] = sum
  for (let lag = 0; lag <= lags; lag++) {
    sum = 0
    for (let k = 0; k < count; k++) sum += (middle - <f64>k) * changes[i - lag - k]
    matrix[place(time, rowOf(lag, size))] = sum
  }
}

/** Subtracts the means of the changes. */
function measureFromMean(x: Column, i: i32, count: i32, lags: i32, matrix: Column, size: i32): void {
  const share = 1 / <f64>count
  for (let a = 0; a <= lags; a++) {
    const sum = x[i - a] - x[i - a - count]
    for (let b = a; b <= lags; b++) {
      matrix[place(rowOf(a, size), rowOf(b, size))] -= sum * share * (x[i - b] - x[i - b - count])
    }
  }
}

/** Adds the mean of the previous value again. */
function measureFromZero(
  x: Column,
  i: i32,
  count: i32,
  lags: i32,
  mean: f64,
  matrix: Column,
  size: i32,
): void {
  const level = size - 2
  matrix[cell(level, level)] += <f64>count * mean * mean
  for (let a = 0; a <= lags; a++) matrix[place(level, rowOf(a, size))] += mean * (x[i - a] - x[i - a - count])
}

/**
 * Coefficient of the second-last variable divided by its standard error, after elimination of all variables before it.
 */
function statistic(matrix: Column, scales: Column, size: i32, freedom: f64): f64 {
  for (let p = 0; p < size - 2; p++) {
    if (isNaN(eliminate(matrix, size, p, scales[p]))) return NaN
  }
  const product = matrix[cell(size - 1, size - 2)]
  const square = matrix[cell(size - 2, size - 2)]
  if (isNaN(eliminate(matrix, size, size - 2, scales[size - 2]))) return NaN
  const rest = matrix[cell(size - 1, size - 1)]
  return isMove(rest, scales[size - 1]) ? finite(product / sqrt((rest / freedom) * square)) : NaN
}
