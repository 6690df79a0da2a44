// Definitions of estimates of volatility, as their formulas stand in the sources.
import {
  averageRange,
  delayed,
  deviations,
  exponential,
  highest,
  lowest,
  mean,
  minus,
  over,
  plus,
  simple,
  sum,
  times,
  trueRanges,
  vector,
  windows,
} from '../columns.js'
import { relativeVolatility } from './momentum-oscillators.js'
import { driftless, estimator } from './volatility-bands.js'

const { ceil, log, max, min, sqrt } = Math

const parkinson = estimator((_open, high, low) => log(high / low) ** 2 / (4 * log(2)))

/** The variance of a sample. */
const variance = window => sum(window.map(x => (x - mean(window)) ** 2)) / (window.length - 1)
const returns = close => close.map((c, i) => (i === 0 ? NaN : log(c / close[i - 1])))

const closeToClose = ({ close }, { period = 20, annualPeriods = 252 }) => ({
  value: windows(returns(close), period, window => sqrt(annualPeriods * variance(window))),
})

function yangZhang({ open, high, low, close }, { period: n = 20, annualPeriods = 252 }) {
  const k = 0.34 / (1.34 + (n + 1) / (n - 1))
  const gaps = windows(
    open.map((o, i) => (i === 0 ? NaN : log(o / close[i - 1]))),
    n,
    variance,
  )
  const bodies = windows(
    open.map((o, i) => log(close[i] / o)),
    n,
    variance,
  )
  const rest = simple(
    open.map((o, i) => driftless(o, high[i], low[i], close[i])),
    n,
  )
  return { value: gaps.map((gap, i) => sqrt(annualPeriods * (gap + k * bodies[i] + (1 - k) * rest[i]))) }
}

function weighted({ close }, { decay = 0.94, annualPeriods = 252 }) {
  let variance
  return {
    value: returns(close).map((r, i) => {
      if (i === 0) return NaN
      variance = i === 1 ? r * r : decay * variance + (1 - decay) * r * r
      return sqrt(annualPeriods * variance)
    }),
  }
}

const rangeIndex = ({ high, low }, { period = 5 }) => ({
  value: minus(highest(high, period), lowest(low, period)).map(range =>
    range === 0 ? NaN : log(range) / log(period),
  ),
})

function ratio(candles, { period = 14, base = 'atr' }) {
  const { high, low, close } = candles
  if (base === 'atr') return { value: over(trueRanges(candles), averageRange(candles, period)) }
  const before = delayed(close, period + 1)
  const top = delayed(highest(high, period), 1).map((value, i) => max(value, before[i]))
  const bottom = delayed(lowest(low, period), 1).map((value, i) => min(value, before[i]))
  return { value: over(trueRanges(candles), minus(top, bottom)) }
}

function volatmeter(candles, { visAtr = 13, visStd = 20, sedAtr = 40, sedStd = 100, threshold = 1.4 }) {
  const quotient = over(averageRange(candles, visAtr), averageRange(candles, sedAtr))
  const volatility = []
  quotient.forEach((value, i) => {
    volatility.push(value + ((volatility[i - 1] || 0) - (volatility[i - 3] || 0)) / 2)
  })
  const spread = over(deviations(candles.close, visStd), deviations(candles.close, sedStd))
  return { volatility, antiTrend: spread.map(value => threshold - value) }
}

const bands = (middle, width) => ({ upper: plus(middle, width), middle, lower: minus(middle, width) })

const rangeBands = (candles, { period = 14, multiplier = 2.5 }) =>
  bands(candles.close, times(averageRange(candles, period), multiplier))

function zone({ high, low, close }, { period = 20, multiplier = 2 }) {
  const n = ceil(sqrt(period))
  const twice = column => exponential(exponential(column, n), n)
  return bands(twice(close), times(twice(minus(high, low)), multiplier))
}

function bandTrend({ close }, { shortPeriod = 20, longPeriod = 50, stddev = 2 }) {
  const [short, long] = [shortPeriod, longPeriod].map(n =>
    bands(simple(close, n), times(deviations(close, n), stddev)),
  )
  return {
    value: close.map((_, i) => {
      const lower = Math.abs(short.lower[i] - long.lower[i])
      return (100 * (lower - Math.abs(short.upper[i] - long.upper[i]))) / short.middle[i]
    }),
  }
}

function refined({ high, low }, { stdDevPeriod = 10, period = 14, smoothing = 'wilder' }) {
  const [tops, bottoms] = [high, low].map(column =>
    relativeVolatility(column, stdDevPeriod, period, smoothing),
  )
  return { value: times(plus(tops, bottoms), 0.5) }
}

export const vectors = {
  parkinson: vector(
    'the formula of the article',
    parkinson,
    ['penny', { period: 1, annualPeriods: 1 }],
    ['daily', { period: 100, annualPeriods: 365 }],
  ),
  closevolatility: vector(
    'the deviation of logarithms',
    closeToClose,
    ['penny', { period: 2, annualPeriods: 1 }],
    ['daily', { period: 100, annualPeriods: 365 }],
  ),
  yangzhang: vector(
    'the formula of the article',
    yangZhang,
    ['penny', { period: 2, annualPeriods: 1 }],
    ['daily', { period: 100, annualPeriods: 365 }],
  ),
  ewmavolatility: vector(
    'an average of squares',
    weighted,
    ['penny', { decay: 0, annualPeriods: 1 }],
    ['daily', { decay: 0.99, annualPeriods: 365 }],
  ),
  gapo: vector('the logarithm of a range', rangeIndex, ['penny', { period: 2 }], ['daily', { period: 100 }]),
  volatilityratio: vector(
    'a range by a range',
    ratio,
    ['volatile', { period: 3, base: 'range' }],
    ['daily', { period: 60, base: 'range' }],
    ['daily', { period: 60, base: 'atr' }],
  ),
  damiani: vector(
    'quotients of ranges and deviations',
    volatmeter,
    ['volatile', { visAtr: 1, visStd: 2, sedAtr: 2, sedStd: 9, threshold: 1 }],
    ['daily', { visAtr: 60, visStd: 100, sedAtr: 30, sedStd: 40, threshold: 2 }],
  ),
  atrbands: vector(
    'average ranges around the close',
    rangeBands,
    ['penny', { period: 1, multiplier: 0.5 }],
    ['daily', { period: 60, multiplier: 3 }],
  ),
  apz: vector(
    'twice smoothed ranges around a close smoothed likewise',
    zone,
    ['penny', { period: 1, multiplier: 0.5 }],
    ['daily', { period: 100, multiplier: 3 }],
  ),
  bbtrend: vector(
    'distances of bands',
    bandTrend,
    ['penny', { shortPeriod: 2, longPeriod: 3, stddev: 0.5 }],
    ['daily', { shortPeriod: 60, longPeriod: 100, stddev: 3 }],
  ),
  rvir: vector(
    'deviations at rises and falls',
    refined,
    ['volatile', { stdDevPeriod: 2, period: 1, smoothing: 'ema' }],
    ['daily', { stdDevPeriod: 60, period: 40, smoothing: 'ema' }],
    ['still', {}],
  ),
}
