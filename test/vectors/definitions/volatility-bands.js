// Definitions of volatilities and of bands, as their formulas stand in the sources.
import {
  averageRange,
  deviations,
  exponential,
  from,
  highest,
  lineEnds,
  mean,
  minus,
  plus,
  simple,
  smooth,
  sum,
  times,
  unzip,
  vector,
  windows,
} from '../columns.js'
import { relativeVolatility } from './momentum-oscillators.js'

function ulcer({ close }, { period = 14, peak = 'rolling' }) {
  const rootOf = squares => Math.sqrt(mean(squares))
  const fall = (x, top) => (100 * (x - top)) / top
  if (peak === 'rolling') {
    const tops = highest(close, period)
    return {
      value: windows(
        close.map((x, i) => fall(x, tops[i]) ** 2),
        period,
        rootOf,
      ),
    }
  }
  return {
    value: windows(close, period, window =>
      rootOf(window.map((x, k) => fall(x, Math.max(...window.slice(0, k + 1))) ** 2)),
    ),
  }
}

function percentB({ close }, { period = 20, stddev = 2 }) {
  const [m, s] = [simple(close, period), deviations(close, period)]
  return {
    value: close.map((x, i) => {
      const [lower, upper] = [m[i] - stddev * s[i], m[i] + stddev * s[i]]
      return upper === lower ? 0.5 : (x - lower) / (upper - lower)
    }),
  }
}

const slopes = (column, period) =>
  windows(column, period, window => {
    const centre = (period - 1) / 2
    return (
      sum(window.map((x, k) => (k - centre) * (x - mean(window)))) /
      sum(window.map((_, k) => (k - centre) ** 2))
    )
  })

function projection({ high, low, close }, { period = 14, slope = 'highlow' }) {
  const [rise, fall] = slope === 'close' ? [close, close] : [high, low]
  const [up, down] = [slopes(rise, period), slopes(fall, period)]
  const moved = (column, steps, i) =>
    Array.from({ length: period }, (_, j) => (column[i - j] ?? NaN) + j * steps[i])
  return {
    upper: high.map((_, i) => Math.max(...moved(high, up, i))),
    lower: low.map((_, i) => Math.min(...moved(low, down, i))),
  }
}

function projectionOscillator(candles, { period = 14, smoothPeriod = 1, slope = 'highlow' }) {
  const { upper, lower } = projection(candles, { period, slope })
  const place = candles.close.map((c, i) =>
    upper[i] === lower[i] ? 50 : (100 * (c - lower[i])) / (upper[i] - lower[i]),
  )
  return { value: smooth(place, 1, 2 / (smoothPeriod + 1)) }
}

const { log } = Math
/** A volatility from the contribution of each candle to the variance. */
export const estimator =
  term =>
  ({ open, high, low, close }, { period = 20, annualPeriods = 252 }) => ({
    value: windows(
      close.map((c, i) => term(open[i], high[i], low[i], c)),
      period,
      window => Math.sqrt(annualPeriods * mean(window)),
    ),
  })
export const driftless = (o, h, l, c) => log(h / c) * log(h / o) + log(l / c) * log(l / o)
const rogersSatchell = estimator(driftless)
const garmanKlass = estimator((o, h, l, c) => log(h / l) ** 2 / 2 - (2 * log(2) - 1) * log(c / o) ** 2)

function explosion(candles, params) {
  const { sensitivity = 150, fastPeriod = 20, slowPeriod = 40, bbPeriod = 20, stddev = 2 } = params
  const { atrPeriod = 100, deadZoneMultiplier = 3.7 } = params
  const m = minus(exponential(candles.close, fastPeriod), exponential(candles.close, slowPeriod))
  const x = m.map((value, i) => (i === 0 ? NaN : sensitivity * (value - m[i - 1])))
  return {
    trendUp: x.map(value => (Number.isNaN(value) ? NaN : Math.max(value, 0))),
    trendDown: x.map(value => (Number.isNaN(value) ? NaN : Math.max(-value, 0))),
    explosion: times(deviations(candles.close, bbPeriod), 2 * stddev),
    deadZone: times(averageRange(candles, atrPeriod), deadZoneMultiplier),
  }
}

function starc(candles, { period = 5, multiplier = 2, atrPeriod = 10 }) {
  const middle = simple(candles.close, period)
  const width = times(averageRange(candles, atrPeriod), multiplier)
  return { upper: plus(middle, width), middle, lower: minus(middle, width) }
}

function aberration(candles, { period = 5, atrPeriod = 15 }) {
  const { high, low, close } = candles
  const middle = simple(
    close.map((c, i) => (high[i] + low[i] + c) / 3),
    period,
  )
  const atr = averageRange(candles, atrPeriod)
  return { upper: plus(middle, atr), middle, lower: minus(middle, atr), atr }
}

function channel({ close }, { period = 20, stddev = 2, deviation = 'price' }) {
  const middle = lineEnds(close, period)
  const residual = () => {
    const slope = slopes(close, period)
    return close.map((_, i) => {
      if (i < period - 1) return NaN
      const distances = Array.from({ length: period }, (_, k) => close[i - k] - (middle[i] - k * slope[i]))
      return Math.sqrt(mean(distances.map(d => d ** 2)))
    })
  }
  const width = times(deviation === 'price' ? deviations(close, period) : residual(), stddev)
  return { upper: plus(middle, width), middle, lower: minus(middle, width) }
}

function fractalBands({ high, low }, { windowSpan = 2 }) {
  const n = windowSpan
  let [upper, lower] = [NaN, NaN]
  const rows = high.map((_, i) => {
    const around = Array.from({ length: 2 * n + 1 }, (_, k) => i - k).filter(j => j !== i - n)
    if (i >= 2 * n) {
      if (around.every(j => high[j] < high[i - n])) upper = high[i - n]
      if (around.every(j => low[j] > low[i - n])) lower = low[i - n]
    }
    return { upper, lower }
  })
  return unzip(rows)
}

function thermometer({ high, low }, { period = 22 }) {
  const value = high.map((h, i) => (i === 0 ? NaN : Math.max(h - high[i - 1], low[i - 1] - low[i], 0)))
  return { value, signal: exponential(value, period) }
}

function holtWinter({ close }, { na = 0.2, nb = 0.1, nc = 0.1, nd = 0.1, multiplier = 1 }) {
  let [f, v, a, s, distance] = [close[0], 0, 0, 0, 0]
  const rows = close.map(c => {
    const [f0, v0, a0] = [f, v, a]
    f = (1 - na) * (f0 + v0 + a0 / 2) + na * c
    v = (1 - nb) * (v0 + a0) + nb * (f - f0)
    a = (1 - nc) * a0 + nc * (v - v0)
    const middle = f + v + a / 2
    const width = multiplier * Math.sqrt(s)
    s = (1 - nd) * s + nd * distance ** 2
    distance = c - middle
    return { upper: middle + width, middle, lower: middle - width }
  })
  return unzip(rows)
}

const wayOfPrice = ({ open, high, low, close }) => ({
  value: from(
    1,
    close.map(
      (c, i) => 2 * (high[i] - low[i]) + Math.abs(open[i] - (close[i - 1] ?? 0)) - Math.abs(c - open[i]),
    ),
  ),
})

export const vectors = {
  ulcerindex: vector(
    'distances from a peak',
    ulcer,
    ['penny', { period: 3, peak: 'window' }],
    ['daily', { period: 60, peak: 'rolling' }],
    ['daily', { period: 40, peak: 'window' }],
  ),
  rvi: vector(
    'deviations at rises and falls',
    ({ close }, { stdDevPeriod = 10, period = 14, smoothing = 'wilder' }) => ({
      value: relativeVolatility(close, stdDevPeriod, period, smoothing),
    }),
    ['volatile', { stdDevPeriod: 2, period: 1, smoothing: 'ema' }],
    ['daily', { stdDevPeriod: 60, period: 40, smoothing: 'ema' }],
    ['still', {}],
  ),
  percentb: vector(
    'the place between two bands',
    percentB,
    ['volatile', { period: 3, stddev: 0.5 }],
    ['daily', { period: 100, stddev: 3 }],
    ['still', {}],
  ),
  projectionbands: vector(
    'extremes moved along a line',
    projection,
    ['penny', { period: 2, slope: 'close' }],
    ['daily', { period: 60, slope: 'highlow' }],
  ),
  projectionosc: vector(
    'the place between two bands',
    projectionOscillator,
    ['volatile', { period: 3, smoothPeriod: 5, slope: 'close' }],
    ['daily', { period: 60, smoothPeriod: 20, slope: 'highlow' }],
    ['still', {}],
  ),
  rogerssatchell: vector(
    'the formula of the article',
    rogersSatchell,
    ['penny', { period: 2, annualPeriods: 1 }],
    ['daily', { period: 100, annualPeriods: 365 }],
  ),
  garmanklass: vector(
    'the formula of the article',
    garmanKlass,
    ['volatile', { period: 4, annualPeriods: 1 }],
    ['daily', { period: 100, annualPeriods: 365 }],
  ),
  waddahattar: vector(
    'averages, bands and a range',
    explosion,
    [
      'penny',
      {
        sensitivity: 1,
        fastPeriod: 1,
        slowPeriod: 2,
        bbPeriod: 2,
        stddev: 1,
        atrPeriod: 1,
        deadZoneMultiplier: 1,
      },
    ],
    [
      'daily',
      {
        sensitivity: 10,
        fastPeriod: 30,
        slowPeriod: 60,
        bbPeriod: 50,
        stddev: 3,
        atrPeriod: 20,
        deadZoneMultiplier: 2,
      },
    ],
  ),
  adr: vector(
    'a mean of ranges',
    ({ high, low }, { period = 14 }) => ({ value: simple(minus(high, low), period) }),
    ['penny', { period: 1 }],
    ['daily', { period: 100 }],
  ),
  starcbands: vector(
    'a mean and an average range',
    starc,
    ['penny', { period: 1, multiplier: 0.5, atrPeriod: 1 }],
    ['daily', { period: 60, multiplier: 3, atrPeriod: 30 }],
  ),
  stddevchannel: vector(
    'a line and deviations',
    channel,
    ['penny', { period: 3, stddev: 1, deviation: 'residual' }],
    ['daily', { period: 60, stddev: 3, deviation: 'residual' }],
    ['daily', { period: 30, stddev: 1.5, deviation: 'price' }],
  ),
  fcb: vector(
    'the newest fractals',
    fractalBands,
    ['volatile', { windowSpan: 1 }],
    ['daily', { windowSpan: 8 }],
  ),
  elderthermometer: vector(
    'reach beyond a candle',
    thermometer,
    ['penny', { period: 1 }],
    ['daily', { period: 100 }],
  ),
  aberration: vector(
    'a mean and an average range',
    aberration,
    ['penny', { period: 1, atrPeriod: 1 }],
    ['daily', { period: 60, atrPeriod: 30 }],
  ),
  hwc: vector(
    'the recursions of the script',
    holtWinter,
    ['penny', { na: 1, nb: 1, nc: 1, nd: 1, multiplier: 2 }],
    ['daily', { na: 0.05, nb: 0.3, nc: 0.7, nd: 0.02, multiplier: 0.5 }],
  ),
  pricedistance: vector('ranges, gaps and bodies', wayOfPrice, ['shapes', {}], ['daily', {}]),
}
