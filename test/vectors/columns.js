// Functions for definitions, written in the plainest way. Only the functions that most of the running time goes to are written
// for speed. A column is an array of numbers; a missing value is NaN.

export function sum(values) {
  let total = 0
  for (let i = 0; i < values.length; i++) total += values[i]
  return total
}
export const mean = values => sum(values) / values.length

/** Applies `calculate` to the last `period` values of a column, oldest first; NaN if one of them is missing. */
export const windows = (column, period, calculate) =>
  column.map((_, i) => {
    const window = i < period - 1 ? [NaN] : column.slice(i - period + 1, i + 1)
    return window.some(Number.isNaN) ? NaN : calculate(window)
  })
export const simple = (column, period) => windows(column, period, mean)
export const linear = (column, period) =>
  windows(
    column,
    period,
    window => sum(window.map((value, k) => value * (k + 1))) / sum(window.map((_, k) => k + 1)),
  )
export const highest = (column, period) => windows(column, period, window => Math.max(...window))
export const lowest = (column, period) => windows(column, period, window => Math.min(...window))

/**
 * Exponential smoothing seeded with the mean of the first `period` values. A missing value is skipped: its result is
 * NaN, and later results do not depend on it.
 */
export function smooth(column, period, weight) {
  const seen = []
  let value = NaN
  return column.map(x => {
    if (Number.isNaN(x)) return NaN
    if (seen.length < period) {
      seen.push(x)
      value = seen.length === period ? mean(seen) : NaN
    } else value = weight * x + (1 - weight) * value
    return value
  })
}
export const exponential = (column, period) => smooth(column, period, 2 / (period + 1))
export const wilder = (column, period) => smooth(column, period, 1 / period)

export const trueRanges = ({ high, low, close }) =>
  high.map((top, i) =>
    i === 0 ? NaN : Math.max(top - low[i], Math.abs(top - close[i - 1]), Math.abs(low[i] - close[i - 1])),
  )
export const averageRange = (candles, period) => wilder(trueRanges(candles), period)
export const middle = ({ high, low }) => high.map((top, i) => (top + low[i]) / 2)

/** Whether a length, which is a difference of prices or a share of one, exceeds another one by more than rounding. */
export const isLonger = (length, other) => length - other > 1e-8 * Math.abs(other)

/** The column `count` candles later. */
export const delayed = (column, count) => column.map((_, i) => (i < count ? NaN : column[i - count]))

/** Hides the values before candle `first`. */
export const from = (first, column) => column.map((value, i) => (i < first ? NaN : value))

/** Columns from one object per candle. */
export const unzip = rows =>
  Object.fromEntries(Object.keys(rows.at(-1)).map(name => [name, rows.map(row => row[name])]))

/** A moving average of the kinds 0 SMA, 1 EMA, 2 WMA. */
export const average = (column, period, type) => [simple, exponential, linear][type](column, period)

export const minus = (a, b) => a.map((value, i) => value - b[i])
/** Whether `a` exceeds `b` by more than the rounding errors of equal means. */
export const isAbove = (a, b) => a - b > 1e-12 * Math.max(Math.abs(a), Math.abs(b))
export const plus = (a, b) => a.map((value, i) => value + b[i])
/** a / b, or `otherwise` if b is 0. */
export const ratio = (a, b, otherwise = NaN) => (b === 0 ? otherwise : a / b)
export const over = (a, b, otherwise = NaN) => a.map((value, i) => ratio(value, b[i], otherwise))
export const times = (column, factor) => column.map(value => value * factor)
export const changes = (column, distance = 1) =>
  column.map((x, i) => (i < distance ? NaN : x - column[i - distance]))
/** The relative strength index by Wilder, 50 if nothing has moved. */
export function relativeStrength(column, period) {
  const change = changes(column)
  const up = wilder(
    change.map(d => (Number.isNaN(d) ? d : Math.max(d, 0))),
    period,
  )
  const down = wilder(
    change.map(d => (Number.isNaN(d) ? d : Math.max(-d, 0))),
    period,
  )
  return up.map((gain, i) => (gain + down[i] === 0 ? 50 : (100 * gain) / (gain + down[i])))
}
export const deviations = (column, period) =>
  windows(column, period, window => Math.sqrt(mean(window.map(x => (x - mean(window)) ** 2))))
/** The end of the line of least squares through the last values of a column. */
export const lineEnds = (column, period) =>
  windows(column, period, window => {
    const centre = (period - 1) / 2
    const level = mean(window)
    const spread = sum(window.map((_, k) => (k - centre) ** 2))
    const slope = spread === 0 ? 0 : sum(window.map((x, k) => (k - centre) * (x - level))) / spread
    return level + slope * centre
  })
export const vector = (source, compute, ...others) => ({
  source: `definition: ${source}`,
  compute,
  cases: [['volatile', {}], ...others],
})
