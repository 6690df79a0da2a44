// Definitions of oscillators put together from others, as their formulas stand in the sources.
import {
  changes,
  delayed,
  deviations,
  exponential,
  from,
  highest,
  lowest,
  mean,
  minus,
  over,
  plus,
  ratio,
  relativeStrength,
  simple,
  sum,
  times,
  vector,
  wilder,
  windows,
} from '../columns.js'
import { bandLine, rates, smoothedStrength } from './momentum-oscillators.js'
import { correlation } from './statistics.js'

const typical = ({ high, low, close }) => close.map((c, i) => (high[i] + low[i] + c) / 3)

function commodityChannel(candles, period) {
  const prices = typical(candles)
  const m = simple(prices, period)
  const d = windows(prices, period, window => mean(window.map(p => Math.abs(p - mean(window)))))
  return minus(prices, m).map((distance, i) => (d[i] === 0 ? 0 : distance / (0.015 * d[i])))
}

function woodie(candles, { period = 14, turboPeriod = 6 }) {
  const [value, turbo] = [commodityChannel(candles, period), commodityChannel(candles, turboPeriod)]
  return { value, turbo, histogram: minus(turbo, value) }
}

function special({ close }, { scale = 1, signalPeriod = 10 }) {
  const scaled = n => Math.max(1, Math.floor(n * scale + 0.5))
  const lines = [
    [10, 10, 1],
    [15, 10, 2],
    [20, 10, 3],
    [30, 15, 4],
    [40, 50, 1],
    [65, 65, 2],
    [75, 75, 3],
    [100, 100, 4],
    [195, 130, 1],
    [265, 130, 2],
    [390, 130, 3],
    [530, 195, 4],
  ].map(([distance, period, weight]) => times(simple(rates(close, scaled(distance)), scaled(period)), weight))
  const value = lines.reduce(plus)
  return { value, signal: simple(value, signalPeriod) }
}

function derivative({ close }, params) {
  const { rsiPeriod = 14, firstSmooth = 5, secondSmooth = 3, signalPeriod = 9 } = params
  const s = exponential(exponential(relativeStrength(close, rsiPeriod), firstSmooth), secondSmooth)
  return { value: minus(s, simple(s, signalPeriod)) }
}

function bressert({ high, low, close }, { stochPeriod = 13, smoothPeriod = 8 }) {
  const place = (x, top, bottom) =>
    x.map((v, i) => (top[i] === bottom[i] ? 0 : (100 * (v - bottom[i])) / (top[i] - bottom[i])))
  const s = exponential(place(close, highest(high, stochPeriod), lowest(low, stochPeriod)), smoothPeriod)
  return { value: exponential(place(s, highest(s, stochPeriod), lowest(s, stochPeriod)), smoothPeriod) }
}

function expansion({ high, low, close }, { period = 5 }) {
  const rows = high.map((h, i) => {
    if (i < 8) return [NaN, NaN]
    const l = low[i]
    const [top, bottom] = [high[i - 2], low[i - 2]]
    const closes = [close[i - 7], close[i - 8]]
    const above = closes.some(c => top >= c) || h >= low[i - 5] || h >= low[i - 6]
    const below = closes.some(c => bottom <= c) || l <= high[i - 5] || l <= high[i - 6]
    const [a, b] = [h - top, l - bottom]
    return [above && below ? a + b : 0, Math.abs(a) + Math.abs(b)]
  })
  const total = k =>
    windows(
      rows.map(row => row[k]),
      period,
      sum,
    )
  return { value: times(over(total(0), total(1), 0), 100) }
}

function sentiment({ open, high, low, close }, { period = 10, mode = 'both' }) {
  const share = (up, down, range) => (range === 0 ? 0 : (50 * (up + down)) / range)
  const sides = (o, h, l) => [
    close.map((c, i) => share(c - l[i], h[i] - o[i], h[i] - l[i])),
    close.map((c, i) => share(h[i] - c, o[i] - l[i], h[i] - l[i])),
  ]
  const candle = sides(open, high, low)
  const group = sides(delayed(open, period - 1), highest(high, period), lowest(low, period))
  const [bulls, bears] = candle.map((column, k) => {
    if (mode !== 'both') return mode === 'candle' ? column : group[k]
    return times(plus(column, group[k]), 0.5)
  })
  return { bulls: simple(bulls, period), bears: simple(bears, period) }
}

function dynamicMomentum({ close }, params) {
  const { period = 14, deviationPeriod = 5, averagePeriod = 10, minPeriod = 3, maxPeriod = 30 } = params
  const s = deviations(close, deviationPeriod)
  const m = simple(s, averagePeriod)
  const d = changes(close)
  const value = close.map((_, i) => {
    if (i < maxPeriod) return NaN
    const q = ratio(s[i], m[i], 0)
    const wanted = q === 0 ? maxPeriod : Math.floor(period / q)
    const n = Math.min(maxPeriod, Math.max(minPeriod, wanted))
    const window = d.slice(i - n + 1, i + 1)
    return 100 * ratio(sum(window.filter(change => change > 0)), sum(window.map(Math.abs)), 0.5)
  })
  return { value: from(Math.max(maxPeriod, deviationPeriod + averagePeriod - 2), value) }
}

const rankCorrelation = ({ close }, { period: n = 9 }) => ({
  value: windows(close, n, window => {
    const ranks = window.map(
      x => 1 + window.filter(y => y < x).length + (window.filter(y => y === x).length - 1) / 2,
    )
    const places = window.map((_, k) => k)
    return 100 * correlation(ranks, places)
  }),
})

function elliott({ close }, { fastPeriod = 5, slowPeriod = 35, percent = true }) {
  const d = minus(simple(close, fastPeriod), simple(close, slowPeriod))
  return { value: percent ? times(over(d, close), 100) : d }
}

function dynamicIndex({ close }, params) {
  const { rsiPeriod = 13, bandPeriod = 34, multiplier = 1.6185, pricePeriod = 2, signalPeriod = 7 } = params
  const r = relativeStrength(close, rsiPeriod)
  const middle = simple(r, bandPeriod)
  const width = times(deviations(r, bandPeriod), multiplier)
  return {
    value: simple(r, pricePeriod),
    signal: simple(r, signalPeriod),
    upper: plus(middle, width),
    middle,
    lower: minus(middle, width),
  }
}

function stiff({ close }, { maPeriod = 100, period = 60, smoothPeriod = 3, factor = 0.2 }) {
  const b = minus(simple(close, maPeriod), times(deviations(close, maPeriod), factor))
  const isAbove = close.map((c, i) => (Number.isNaN(b[i]) ? NaN : c > b[i] ? 1 : 0))
  const x = windows(isAbove, period, window => (100 * sum(window)) / period)
  return { value: exponential(x, smoothPeriod) }
}

/** A line, its mean and the difference of both. */
const withSignal = (value, signalPeriod) => {
  const signal = simple(value, signalPeriod)
  return { value, signal, histogram: minus(value, signal) }
}

function impulse(candles, { period = 34, signalPeriod = 9 }) {
  const [top, bottom] = [wilder(candles.high, period), wilder(candles.low, period)]
  const e = exponential(typical(candles), period)
  const m = minus(times(e, 2), exponential(e, period))
  const value = m.map((v, i) => {
    if (Number.isNaN(v)) return NaN
    return v > top[i] ? v - top[i] : v < bottom[i] ? v - bottom[i] : 0
  })
  return withSignal(value, signalPeriod)
}

const threeTen = ({ close }, { fastPeriod = 3, slowPeriod = 10, signalPeriod = 16 }) =>
  withSignal(minus(simple(close, fastPeriod), simple(close, slowPeriod)), signalPeriod)

function quantitativeMod({ close }, params) {
  const { rsiPeriod = 6, smoothPeriod = 5, factor = 3, threshold = 3, factor2 = 1.61 } = params
  const { bbPeriod = 50, bbStddev = 0.35 } = params
  const { r, ranges } = smoothedStrength(close, rsiPeriod, smoothPeriod)
  const [a, line] = [factor, factor2].map(f => bandLine(r, ranges, f).line.map(v => v - 50))
  const value = r.map(v => v - 50)
  const [m, s] = [simple(a, bbPeriod), times(deviations(a, bbPeriod), bbStddev)]
  const trend = value.map((v, i) => {
    if (Number.isNaN(m[i])) return null
    if (v > m[i] + s[i] && v > threshold) return 'up'
    return v < m[i] - s[i] && v < -threshold ? 'down' : 'none'
  })
  return { value, line, trend }
}

export const vectors = {
  woodiescci: vector(
    'two indices of the commodity channel',
    woodie,
    ['penny', { period: 2, turboPeriod: 5 }],
    ['daily', { period: 60, turboPeriod: 30 }],
  ),
  specialk: {
    source: 'definition: weighted means of rates',
    compute: special,
    cases: [
      ['bent', {}],
      ['penny', { scale: 0.02, signalPeriod: 1 }],
      ['bent', { scale: 0.5, signalPeriod: 40 }],
    ],
  },
  derivativeosc: vector(
    'a strength, smoothed, and its mean',
    derivative,
    ['penny', { rsiPeriod: 2, firstSmooth: 1, secondSmooth: 1, signalPeriod: 2 }],
    ['daily', { rsiPeriod: 30, firstSmooth: 20, secondSmooth: 10, signalPeriod: 40 }],
    ['still', {}],
  ),
  dssbressert: vector(
    'a stochastic of a stochastic',
    bressert,
    ['penny', { stochPeriod: 3, smoothPeriod: 2 }],
    ['daily', { stochPeriod: 50, smoothPeriod: 20 }],
  ),
  rei: vector(
    'the conditions of the book',
    expansion,
    ['shapes', { period: 1 }],
    ['daily', { period: 40 }],
    ['still', {}],
  ),
  aso: vector(
    'shares of ranges',
    sentiment,
    ['shapes', { period: 3, mode: 'candle' }],
    ['daily', { period: 30, mode: 'group' }],
    ['daily', { period: 5, mode: 'both' }],
  ),
  dymi: vector(
    'sums over a window of its own',
    dynamicMomentum,
    ['volatile', { period: 5, deviationPeriod: 3, averagePeriod: 4, minPeriod: 2, maxPeriod: 9 }],
    ['daily', { period: 20, deviationPeriod: 30, averagePeriod: 40, minPeriod: 10, maxPeriod: 60 }],
    ['still', {}],
  ),
  rci: vector(
    'the correlation of the ranks with time',
    rankCorrelation,
    ['penny', { period: 2 }],
    ['daily', { period: 60 }],
    ['still', {}],
  ),
  ewo: vector(
    'the difference of two means',
    elliott,
    ['penny', { fastPeriod: 1, slowPeriod: 2, percent: false }],
    ['daily', { fastPeriod: 20, slowPeriod: 100, percent: true }],
  ),
  tdi: vector(
    'means and bands of a strength',
    dynamicIndex,
    ['penny', { rsiPeriod: 2, bandPeriod: 9, multiplier: 1, pricePeriod: 1, signalPeriod: 12 }],
    ['daily', { rsiPeriod: 40, bandPeriod: 60, multiplier: 2, pricePeriod: 5, signalPeriod: 20 }],
    ['still', {}],
  ),
  stiffness: vector(
    'a share of the values',
    stiff,
    ['penny', { maPeriod: 9, period: 4, smoothPeriod: 1, factor: 1 }],
    ['daily', { maPeriod: 60, period: 40, smoothPeriod: 10, factor: 0.5 }],
  ),
  impulsemacd: vector(
    'the distance from a band of averages',
    impulse,
    ['penny', { period: 3, signalPeriod: 1 }],
    ['daily', { period: 60, signalPeriod: 30 }],
  ),
  raschke310: vector(
    'the difference of two means',
    threeTen,
    ['penny', { fastPeriod: 1, slowPeriod: 2, signalPeriod: 1 }],
    ['daily', { fastPeriod: 20, slowPeriod: 60, signalPeriod: 40 }],
  ),
  qqemod: vector(
    'the rules of two scripts',
    quantitativeMod,
    [
      'volatile',
      { rsiPeriod: 3, smoothPeriod: 2, factor: 1, threshold: 5, factor2: 3, bbPeriod: 9, bbStddev: 1 },
    ],
    [
      'daily',
      { rsiPeriod: 14, smoothPeriod: 8, factor: 2, threshold: 1, factor2: 1, bbPeriod: 30, bbStddev: 0.1 },
    ],
  ),
}
