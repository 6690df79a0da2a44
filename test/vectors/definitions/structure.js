// Definitions of levels from earlier extremes. A column is an array of numbers; a missing value is NaN.

/** Fibonacci retracement between the latest highest high and the latest lowest low of the window. */
export function fibonacciretracement(
  { timestamp, high, low, close },
  { period = 50, retracement = 0.618, trend = 'auto' },
) {
  const rows = close.map((_, i) => {
    if (i < period - 1) return null
    const window = Array.from({ length: period }, (_, k) => i - period + 1 + k)
    const top = window.reduce((best, j) => (high[j] >= high[best] ? j : best))
    const bottom = window.reduce((best, j) => (low[j] <= low[best] ? j : best))
    const candles = close[i] >= close[window[0]] ? 'uptrend' : 'downtrend'
    const extremes = top >= bottom ? 'uptrend' : 'downtrend'
    const way = trend === 'auto' ? candles : trend === 'smart' ? extremes : trend
    const [start, end] = way === 'uptrend' ? [bottom, top] : [top, bottom]
    const [from, to] = way === 'uptrend' ? [low[start], high[end]] : [high[start], low[end]]
    return {
      value: to - retracement * (to - from),
      trend: way.toUpperCase(),
      startPrice: from,
      endPrice: to,
      startTimestamp: timestamp[start],
      endTimestamp: timestamp[end],
    }
  })
  return Object.fromEntries(
    Object.keys(rows[rows.length - 1]).map(name => [name, rows.map(row => (row ? row[name] : null))]),
  )
}

const before = (column, period, calculate) =>
  column.map((_, i) => (i < period ? NaN : calculate(...column.slice(i - period, i))))

/** The highest close and high of the candles before. */
export function priorswinghigh({ high, close }, { period = 14 }) {
  return { valueClose: before(close, period, Math.max), valueHigh: before(high, period, Math.max) }
}

/** The lowest close and low of the candles before. */
export function priorswinglow({ low, close }, { period = 14 }) {
  return { valueClose: before(close, period, Math.min), valueLow: before(low, period, Math.min) }
}

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  fibonacciretracement: {
    source: 'definition: the extremes of the window, trend by the first and the last close or by their order',
    compute: fibonacciretracement,
    cases: [
      ['daily', {}],
      ['shapes', { period: 2, retracement: 0.236, trend: 'smart' }],
      ['volatile', { period: 300, trend: 'smart' }],
      ['volatile', { period: 350, retracement: 1.618, trend: 'uptrend' }],
      ['volatile', { period: 350, retracement: 0, trend: 'downtrend' }],
    ],
  },
  priorswinghigh: {
    source: 'definition: maximum of the candles before',
    compute: priorswinghigh,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1 }],
      ['daily', { period: 300 }],
    ],
  },
  priorswinglow: {
    source: 'definition: minimum of the candles before',
    compute: priorswinglow,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1 }],
      ['daily', { period: 300 }],
    ],
  },
}
