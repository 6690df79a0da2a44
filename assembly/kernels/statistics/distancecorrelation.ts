import { Column, Frame } from '../../frame'
import { warmup } from '../../parts/numbers/warmup'
import { variance } from '../../parts/windows/deviation'
import { movingSum } from '../../parts/windows/sums'

/**
 * Distance Correlation of two columns over the last `period` candles, 0 to 1, which measures dependence of any form:
 * the root of the distance covariance divided by the geometric mean of the distance variances. Distances are |x_i −
 * x_j| minus the means of row i and column j plus the overall mean; the covariance is the mean product of the distances
 * of both columns.
 * The columns are high and low by default; 0 where one of them is flat.
 * Multiplied out, the means of products are the mean product of the distances themselves, the product of their means,
 * and the products of their row sums. Products of candles k apart are one moving sum for each k, and row sums follow
 * from each other in the order of the values.
 * Source: Székely, Rizzo and Bakirov, The Annals of Statistics 35 (2007); ta4j DistanceCorrelationIndicator.
 */
export function distancecorrelation(frame: Frame, from: i32, to: i32): void {
  const x = frame.input(0)
  const y = frame.input(1)
  const out = frame.output(0)
  const period = frame.integer(0)
  const first = warmup(out, from, to, period - 1)
  if (first >= to) return
  const xSquares = frame.scratch(6).from(-first)
  const ySquares = frame.scratch(7).from(-first)
  sumProducts(frame, first, to, period)
  variance(x, 0, xSquares, first, to, period, frame.scratch(3))
  variance(y, 0, ySquares, first, to, period, frame.scratch(3))
  const xValues = frame.scratch(0)
  const xTimes = frame.scratch(1)
  const yValues = frame.scratch(2)
  const yTimes = frame.scratch(3)
  const xRows = frame.scratch(4)
  const yRows = frame.scratch(5)
  const share = 1 / <f64>period
  for (let i = first; i < to; i++) {
    const oldest = i - period + 1
    if (i === first) {
      sortTimes(xValues, xTimes, x, oldest, i + 1)
      sortTimes(yValues, yTimes, y, oldest, i + 1)
    } else {
      slideTimes(xValues, xTimes, x, i, period)
      slideTimes(yValues, yTimes, y, i, period)
    }
    const xMean = writeRows(xValues, xTimes, oldest, period, xRows)
    const yMean = writeRows(yValues, yTimes, oldest, period, yRows)
    let xx: f64 = 0
    let yy: f64 = 0
    let xy: f64 = 0
    for (let k = 0; k < period; k++) {
      xx += xRows[k] * xRows[k]
      yy += yRows[k] * yRows[k]
      xy += xRows[k] * yRows[k]
    }
    const common = out[i] * share * share + xMean * yMean - 2 * share * xy
    const xOwn = 2 * xSquares[i] + xMean * xMean - 2 * share * xx
    const yOwn = 2 * ySquares[i] + yMean * yMean - 2 * share * yy
    const size = sqrt(max(xOwn, 0)) * sqrt(max(yOwn, 0))
    out[i] = size !== 0 ? min(sqrt(max(common, 0) / size), 1) : 0
  }
}

/**
 * Writes the mean distance of each candle of the window from all candles of it, oldest first, and returns the mean of
 * these means.
 */
function writeRows(values: Column, times: Column, oldest: i32, period: i32, rows: Column): f64 {
  const share = 1 / <f64>period
  let row: f64 = 0
  for (let k = 1; k < period; k++) row += values[k] - values[0]
  row *= share
  let total = row
  rows[<i32>times[0] - oldest] = row
  for (let k = 1; k < period; k++) {
    // One step up in the order is nearer to the values above and farther from the values below.
    row += (<f64>(2 * k) * share - 1) * (values[k] - values[k - 1])
    total += row
    rows[<i32>times[k] - oldest] = row
  }
  return total * share
}

/** Writes the sum of |x_i − x_j|·|y_i − y_j| over all i and j of the window to the output. */
function sumProducts(frame: Frame, from: i32, to: i32, period: i32): void {
  const x = frame.input(0)
  const y = frame.input(1)
  const out = frame.output(0)
  const oldest = from - period + 1
  const terms = frame.scratch(1).from(-oldest)
  const sums = frame.scratch(2).from(-from)
  const after = out[to]
  for (let i = from; i < to; i++) out[i] = 0
  for (let k = 1; k < period; k++) {
    for (let i = oldest + k; i < to; i += 2) {
      const product = f64x2.mul(f64x2.sub(x.pair(i), x.pair(i - k)), f64x2.sub(y.pair(i), y.pair(i - k)))
      terms.setPair(i, f64x2.abs(product))
    }
    movingSum(terms, k, sums, from, to, period - k, frame.scratch(3))
    for (let i = from; i < to; i += 2) {
      const sum = sums.pair(i)
      out.setPair(i, f64x2.add(out.pair(i), f64x2.add(sum, sum)))
    }
  }
  out[to] = after
}

// The candles of a window in ascending order of their values: `values` has the values, and `times` their candles. When
// one candle replaces another, the candles between their two positions move by one. Which of two equal values comes
// first depends on how the history was cut, so nothing may depend on that. A missing value is held as infinity.

/** Sorts the candles [from, to) of `x`. */
function sortTimes(values: Column, times: Column, x: Column, from: i32, to: i32): void {
  for (let i = from; i < to; i++) settle(values, times, i - from, i - from + 1, x[i], i)
}

/** Replaces the candle that leaves a window of `period` candles by candle `i` of `x`. */
function slideTimes(values: Column, times: Column, x: Column, i: i32, period: i32): void {
  const old = <f64>(i - period)
  let place: i32 = 0
  while (times[place] !== old) place++
  settle(values, times, place, period, x[i], i)
}

/** Moves a candle of the order that has a new value to its position among the first `count`. */
function settle(values: Column, times: Column, place: i32, count: i32, x: f64, time: i32): void {
  const value = isNaN(x) ? Infinity : x
  let k = place
  for (; k + 1 < count && values[k + 1] < value; k++) {
    values[k] = values[k + 1]
    times[k] = times[k + 1]
  }
  for (; k > 0 && values[k - 1] > value; k--) {
    values[k] = values[k - 1]
    times[k] = times[k - 1]
  }
  values[k] = value
  times[k] = <f64>time
}
