// Definitions of indicators by Wilder's smoothing. They are written in the plainest way, without regard to speed. A column
// is an array of numbers; a missing value is NaN.

const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length
const empty = length => new Array(length).fill(NaN)

/** Position of the close between the lowest low and the highest high of `period` candles, in percent; 0 without a range. */
function rawStochastic({ high, low, close }, period) {
  return close.map((price, i) => {
    if (i < period - 1) return NaN
    const top = Math.max(...high.slice(i - period + 1, i + 1))
    const bottom = Math.min(...low.slice(i - period + 1, i + 1))
    return top > bottom ? (100 * (price - bottom)) / (top - bottom) : 0
  })
}

/** Wilder's smoothing of a column that begins with NaN: the mean of the first `period` values, then 1/period of each new one. */
function wilder(column, period) {
  const smooth = empty(column.length)
  const start = column.findIndex(value => !Number.isNaN(value))
  if (start < 0 || start + period > column.length) return smooth
  const seed = start + period - 1
  smooth[seed] = mean(column.slice(start, seed + 1))
  for (let i = seed + 1; i < column.length; i++)
    smooth[i] = (smooth[i - 1] * (period - 1) + column[i]) / period
  return smooth
}

/**
 * KDJ: K is the raw stochastic over kPeriod, smoothed by kSmooth. D is K smoothed by dPeriod if it is given, otherwise
 * by signal. D also uses signal if both are given and dPeriod equals period. J = 3K − 2D.
 */
export function kdj(candles, params) {
  const { period = 9, signal = 3, kPeriod = period, dPeriod, kSmooth = signal } = params
  const isSignals = dPeriod === undefined || (dPeriod === period && 'signal' in params)
  const k = wilder(rawStochastic(candles, kPeriod), kSmooth)
  const d = wilder(k, isSignals ? signal : dPeriod)
  return { valueK: k, valueD: d, valueJ: k.map((value, i) => 3 * value - 2 * d[i]) }
}

/** Average true range by Wilder. The first true range belongs to the second candle. */
function averageTrueRange({ high, low, close }, period) {
  const trueRange = high.map((top, i) =>
    i === 0 ? NaN : Math.max(top - low[i], Math.abs(top - close[i - 1]), Math.abs(low[i] - close[i - 1])),
  )
  return wilder(trueRange, period)
}

/** Supertrend: the lower band while the advice is long, the upper one while it is short. */
export function supertrend(candles, { period = 7, multiplier = 3 }) {
  const { high, low, close } = candles
  const range = averageTrueRange(candles, period)
  const value = empty(close.length)
  const valueAdvice = new Array(close.length).fill(null)
  let upper
  let lower
  let advice
  for (let i = period; i < close.length; i++) {
    const middle = (high[i] + low[i]) / 2
    const upperNow = middle + multiplier * range[i]
    const lowerNow = middle - multiplier * range[i]
    upper = i === period || upperNow < upper || close[i - 1] > upper ? upperNow : upper
    lower = i === period || lowerNow > lower || close[i - 1] < lower ? lowerNow : lower
    if (i === period) advice = 'long'
    else if (advice === 'long') advice = close[i] < lower ? 'short' : 'long'
    else advice = close[i] > upper ? 'long' : 'short'
    value[i] = advice === 'long' ? lower : upper
    valueAdvice[i] = advice
  }
  return { value, valueAdvice }
}

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  kdj: {
    source: 'definition: raw stochastic, smoothed by Wilder’s mean seeded with a simple mean',
    compute: kdj,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1, signal: 1 }],
      ['daily', { period: 14, signal: 5 }],
      ['volatile', { kPeriod: 5, dPeriod: 20, kSmooth: 2 }],
      ['daily', { period: 100, signal: 30, kPeriod: 60 }],
      ['volatile', { period: 14, dPeriod: 5 }],
      ['volatile', { period: 14, dPeriod: 14, signal: 4 }],
      ['volatile', { dPeriod: 9 }],
    ],
  },
  supertrend: {
    source: 'definition: Wilder’s average true range around the middle',
    compute: supertrend,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1, multiplier: 1 }],
      ['daily', { period: 10, multiplier: 3 }],
      ['daily', { period: 100, multiplier: 0.5 }],
      ['still', {}],
    ],
  },
}
