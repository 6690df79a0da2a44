// Definitions of channels and of how volatile volatility is, as their formulas stand in the sources.
import {
  averageRange,
  delayed,
  deviations,
  exponential,
  over,
  simple,
  times,
  unzip,
  vector,
  windows,
} from '../columns.js'
import { deviationOf, lineError } from './statistics.js'

const width = (candles, { period = 20, multiplier = 2, atrLength = 10 }) => ({
  value: over(times(averageRange(candles, atrLength), 2 * multiplier), exponential(candles.close, period)),
})

function hurst({ close }, { period = 10, inner = 1.6, outer = 2.6, extreme = 4.2 }) {
  const middle = delayed(simple(close, period), Math.ceil(period / 2) + 1)
  const band = percent => times(middle, 1 + percent / 100)
  return {
    middle,
    upperInner: band(inner),
    lowerInner: band(-inner),
    upperOuter: band(outer),
    lowerOuter: band(-outer),
    upperExtreme: band(extreme),
    lowerExtreme: band(-extreme),
  }
}

function decay({ high, low }, { period = 100 }) {
  let [upper, lower, upperAge, lowerAge] = [-Infinity, Infinity, 0, 0]
  const done = age => 1 - Math.exp((-Math.LN2 / period) * age)
  return unzip(
    high.map((top, i) => {
      const first = Math.max(0, i - period + 1)
      if (top >= upper) [upper, upperAge] = [top, 0]
      else upperAge++
      if (low[i] <= lower) [lower, lowerAge] = [low[i], 0]
      else lowerAge++
      const m = (upper + lower) / 2
      const fallen = upper - done(upperAge) * (upper - m)
      const risen = lower + done(lowerAge) * (m - lower)
      upper = Math.min(Math.max(...high.slice(first, i + 1)), fallen)
      lower = Math.max(Math.min(...low.slice(first, i + 1)), risen)
      return { upper, lower }
    }),
  )
}

const ofVolatility = ({ close }, { period = 20, vovPeriod = 10 }) => ({
  value: deviations(deviations(close, period), vovPeriod),
})

function percentile({ close }, { period = 21, rankPeriod = 252, signalPeriod = 21 }) {
  const returns = close.map((c, i) => (c > 0 && close[i - 1] > 0 ? Math.log(c / close[i - 1]) : NaN))
  const s = windows(returns, period, window => deviationOf(window))
  const value = windows(
    s,
    rankPeriod,
    window => (100 * window.filter(other => other < window.at(-1)).length) / rankPeriod,
  )
  return { value, signal: simple(value, signalPeriod) }
}

function kirshenbaum({ close }, { period = 30, regressionPeriod = 20, multiplier = 1 }) {
  const middle = exponential(close, period)
  const error = windows(close, regressionPeriod, lineError)
  return {
    upper: middle.map((m, i) => m + multiplier * error[i]),
    middle,
    lower: middle.map((m, i) => m - multiplier * error[i]),
  }
}

export const vectors = {
  keltnerwidth: vector(
    'the formula',
    width,
    ['penny', { period: 1, multiplier: 0.5, atrLength: 1 }],
    ['daily', { period: 50, multiplier: 3, atrLength: 350 }],
  ),
  hurstbands: vector(
    'the formula',
    hurst,
    ['penny', { period: 1, inner: 0, outer: 10, extreme: 50 }],
    ['daily', { period: 251, inner: 1, outer: 2, extreme: 3 }],
    ['shapes', { period: 7 }],
  ),
  decaychannel: vector(
    'the recursion',
    decay,
    ['penny', { period: 1 }],
    ['daily', { period: 12 }],
    ['shapes', {}],
  ),
  volofvol: vector(
    'the deviation of the deviations',
    ofVolatility,
    ['penny', { period: 2, vovPeriod: 2 }],
    ['daily', { period: 300, vovPeriod: 90 }],
  ),
  hvpercentile: vector(
    'ranks, counted',
    percentile,
    ['penny', { period: 2, rankPeriod: 5, signalPeriod: 1 }],
    ['daily', { period: 100, rankPeriod: 200, signalPeriod: 80 }],
  ),
  kirshenbaum: vector(
    'the formula',
    kirshenbaum,
    ['penny', { period: 1, regressionPeriod: 3, multiplier: 3 }],
    ['daily', { period: 350, regressionPeriod: 40, multiplier: 2 }],
    ['shapes', { period: 5, regressionPeriod: 100 }],
  ),
}
