// Definitions of levels from earlier extremes. A column is an array of numbers, NaN where there is no value.
import { regression } from './oscillators.js'

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
    const { slope } = regression(window.map(j => close[j]))
    const later = top >= bottom ? 'uptrend' : 'downtrend'
    const sloped = slope > 0 ? 'uptrend' : slope < 0 ? 'downtrend' : later
    const way = trend === 'auto' ? later : trend === 'smart' ? sloped : trend
    const [start, end] = way === 'uptrend' ? [bottom, top] : [top, bottom]
    const [from, to] = way === 'uptrend' ? [low[start], high[end]] : [high[start], low[end]]
    return {
      value: to - retracement * (to - from),
      trend: way,
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

/** Floor pivots of the UTC day (intraday candles) or the week from Monday (daily ones) before, if it was seen whole. */
export function pivotpoints({ timestamp, high, low, close }) {
  const isDaily = timestamp[1] - timestamp[0] >= 86_400
  const keyOf = time => {
    const date = new Date(time * 1000)
    if (isDaily) date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
    return date.toISOString().slice(0, 10)
  }
  const keys = timestamp.map(keyOf)
  const whole = new Set(keys)
  if (new Date(timestamp[0] * 1000).toISOString() !== `${keys[0]}T00:00:00.000Z`) whole.delete(keys[0])
  const names = ['r3', 'r2', 'r1', 'p', 's1', 's2', 's3']
  const rows = keys.map((key, i) => {
    const last = keys.lastIndexOf(keys[keys.indexOf(key) - 1])
    if (i < 4 || last < 0 || !whole.has(keys[last])) return names.map(() => NaN)
    const candles = keys.flatMap((other, j) => (other === keys[last] ? [j] : []))
    const top = Math.max(...candles.map(j => high[j]))
    const bottom = Math.min(...candles.map(j => low[j]))
    const pivot = (top + bottom + close[last]) / 3
    return [
      top + 2 * (pivot - bottom),
      pivot + top - bottom,
      2 * pivot - bottom,
      pivot,
      2 * pivot - top,
      pivot - top + bottom,
      bottom - 2 * (top - pivot),
    ]
  })
  return Object.fromEntries(names.map((name, k) => [name, rows.map(row => row[k])]))
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

/** Where each vector comes from, its function, and its cases: a market and the parameters that are not the default. */
export const vectors = {
  fibonacciretracement: {
    source: 'definition: the extremes of the window, trend by their order or by least squares',
    compute: fibonacciretracement,
    cases: [
      ['daily', {}],
      ['shapes', { period: 2, retracement: 0.236, trend: 'smart' }],
      ['volatile', { period: 300, trend: 'smart' }],
      ['volatile', { period: 350, retracement: 1.618, trend: 'uptrend' }],
      ['volatile', { period: 350, retracement: 0, trend: 'downtrend' }],
    ],
  },
  pivotpoints: {
    source: 'definition: floor pivots of the UTC day or week before',
    compute: pivotpoints,
    cases: [
      ['penny', {}],
      ['daily', {}],
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
