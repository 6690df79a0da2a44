// Definitions of adaptive and recursive averages, as their formulas stand in the sources.
import {
  average,
  delayed,
  exponential,
  from,
  highest,
  isAbove,
  lowest,
  middle,
  over,
  ratio,
  simple,
  sum,
  times,
  unzip,
  vector,
  windows,
} from '../columns.js'
import { superSmoother } from './filters.js'

function mcGinley({ close }, { period = 14, k = 0.6 }) {
  const out = [close[0]]
  for (let i = 1; i < close.length; i++) {
    const y = out[i - 1]
    out.push(y + (close[i] - y) / (k * period * (close[i] / y) ** 4))
  }
  return { value: from(1, out) }
}

function jurik({ close }, { period = 7, phase = 50, power = 2 }) {
  const ratio = phase < -100 ? 0.5 : phase > 100 ? 2.5 : phase / 100 + 1.5
  const beta = (0.45 * (period - 1)) / (0.45 * (period - 1) + 2)
  const alpha = beta ** power
  let [e0, e1, e2, y] = [close[0], 0, 0, close[0]]
  const value = close.map(x => {
    e0 = (1 - alpha) * x + alpha * e0
    e1 = (x - e0) * (1 - beta) + beta * e1
    e2 = (e0 + ratio * e1 - y) * (1 - alpha) ** 2 + alpha ** 2 * e2
    y += e2
    return y
  })
  return { value: from(period - 1, value) }
}

function holtWinters({ close }, { na = 0.2, nb = 0.1, nc = 0.1 }) {
  let [f, v, a] = [close[0], 0, 0]
  return {
    value: close.map(x => {
      const [f0, v0] = [f, v]
      f = (1 - na) * (f0 + v0 + a / 2) + na * x
      v = (1 - nb) * (v0 + a) + nb * (f - f0)
      a = (1 - nc) * a + nc * (v - v0)
      return f + v + a / 2
    }),
  }
}

function holt({ close }, { period = 10, gamma = 0 }) {
  const alpha = 2 / (period + 1)
  const g = gamma > 0 ? gamma : alpha
  let [level, slope] = [close[0], 0]
  const value = close.map((x, i) => {
    if (i > 0) {
      const before = level
      level = alpha * x + (1 - alpha) * (before + slope)
      slope = g * (level - before) + (1 - g) * slope
    }
    return level + slope
  })
  return { value: from(period - 1, value) }
}

function coral({ close }, { period = 21, cd = 0.4 }) {
  const a = 2 / ((period - 1) / 2 + 2)
  const s = new Array(6).fill(close[0])
  const value = close.map(x => {
    s.forEach((before, k) => {
      s[k] = a * (k === 0 ? x : s[k - 1]) + (1 - a) * before
    })
    return (
      -(cd ** 3) * s[5] +
      3 * (cd ** 2 + cd ** 3) * s[4] -
      3 * (2 * cd ** 2 + cd + cd ** 3) * s[3] +
      (3 * cd + 1 + cd ** 3 + 3 * cd ** 2) * s[2]
    )
  })
  return { value: from(period - 1, value) }
}

function kalman({ close }, { q = 0.01, r = 0.1 }) {
  let [y, p] = [close[0], r]
  return {
    value: close.map((x, i) => {
      if (i > 0) {
        const k = (p + q) / (p + q + r)
        y += k * (x - y)
        p = (1 - k) * (p + q)
      }
      return y
    }),
  }
}

function fractalAdaptive(candles, { period = 16 }) {
  const half = Math.ceil(period / 2)
  const n = 2 * half
  const prices = middle(candles)
  const top = period => highest(candles.high, period)
  const bottom = period => lowest(candles.low, period)
  const [tops, bottoms, allTops, allBottoms] = [top(half), bottom(half), top(n), bottom(n)]
  let [y, d] = [prices[n - 1], 1]
  return {
    value: prices.map((p, i) => {
      if (i < n) return NaN
      const n1 = (tops[i] - bottoms[i]) / half
      const n2 = (tops[i - half] - bottoms[i - half]) / half
      const n3 = (allTops[i] - allBottoms[i]) / n
      if (n1 > 0 && n2 > 0 && n3 > 0) d = (Math.log(n1 + n2) - Math.log(n3)) / Math.log(2)
      const alpha = Math.min(1, Math.max(0.01, Math.exp(-4.6 * (d - 1))))
      y = alpha * p + (1 - alpha) * y
      return y
    }),
  }
}

function distanceCoefficient(candles, { period = 15 }) {
  const p = middle(candles)
  return {
    value: p.map((price, i) => {
      if (i < 2 * period - 2) return NaN
      const weights = Array.from({ length: period }, (_, k) =>
        sum(Array.from({ length: period - 1 }, (_, j) => (p[i - k] - p[i - k - j - 1]) ** 2)),
      )
      const total = sum(weights)
      return total === 0 ? price : sum(weights.map((w, k) => w * p[i - k])) / total
    }),
  }
}

function deviationScaled({ close }, { period = 40 }) {
  const f = superSmoother(
    close.map((x, i) => (i < 2 ? 0 : x - close[i - 2])),
    period / 2,
  )
  let y = close[0]
  const value = close.map((x, i) => {
    const rms = Math.sqrt(sum(f.slice(Math.max(0, i - period + 1), i + 1).map(v => v ** 2)) / period)
    const alpha = rms === 0 ? 0 : Math.min(1, (5 * Math.abs(f[i] / rms)) / period)
    y = alpha * x + (1 - alpha) * y
    return y
  })
  return { value: from(period - 1, value) }
}

function natural({ close }, { period = 40 }) {
  let y = close[period - 1]
  return {
    value: close.map((x, i) => {
      if (i < period) return NaN
      const d = Array.from({ length: period }, (_, k) => Math.abs(Math.log(close[i - k] / close[i - k - 1])))
      const total = sum(d)
      const ratio = total === 0 ? 0 : sum(d.map((v, k) => v * (Math.sqrt(k + 1) - Math.sqrt(k)))) / total
      y += ratio * (x - y)
      return y
    }),
  }
}

function envelope({ close }, { period = 20, percent = 2.5, maType = 0 }) {
  const line = average(close, period, maType)
  return {
    upper: line.map(value => value * (1 + percent / 100)),
    middle: line,
    lower: line.map(value => value * (1 - percent / 100)),
  }
}

function regularity({ high, low, close }, { period = 99 }) {
  const [tops, bottoms] = [highest(high, period), lowest(low, period)]
  const flags = tops.map((top, i) =>
    i < period ? NaN : top > tops[i - 1] || bottoms[i] < bottoms[i - 1] ? 1 : 0,
  )
  const share = simple(flags, period)
  let y = close[2 * period - 2]
  return {
    value: close.map((x, i) => {
      if (i < 2 * period - 1) return NaN
      y += share[i] ** 2 * (x - y)
      return y
    }),
  }
}

function guppy({ close }) {
  const lengths = [3, 5, 8, 10, 12, 15, 30, 35, 40, 45, 50, 60]
  return Object.fromEntries(
    lengths.map((n, k) => [`${k < 6 ? 'short' : 'long'}${(k % 6) + 1}`, from(59, exponential(close, n))]),
  )
}

function rainbow({ close }, { period = 2 }) {
  let column = close
  const lines = {}
  for (let k = 1; k <= 10; k++) {
    column = simple(column, period)
    lines[`value${k}`] = from(10 * (period - 1), column)
  }
  return lines
}

function rangeAction({ close }, { shortPeriod = 7, longPeriod = 65 }) {
  const slow = simple(close, longPeriod)
  return { value: simple(close, shortPeriod).map((fast, i) => (100 * (fast - slow[i])) / slow[i]) }
}

function intensity({ close }, { maPeriod = 60, period = 30 }) {
  const means = simple(close, maPeriod)
  const distances = close.map((x, i) => x - means[i])
  return {
    value: windows(
      distances,
      period,
      window => 100 * ratio(sum(window.filter(d => d > 0)), sum(window.map(Math.abs)), 0.5),
    ),
  }
}

function fractalEfficiency({ close }, { period = 10, smoothing = 5 }) {
  const raw = close.map((x, i) => {
    if (i < period) return NaN
    let path = 0
    for (let k = 0; k < period; k++) path += Math.hypot(close[i - k] - close[i - k - 1], 1)
    const d = x - close[i - period]
    return ((d > 0 ? 100 : -100) * Math.hypot(d, period)) / path
  })
  return { value: exponential(raw, smoothing) }
}

function archer({ close }, { fastPeriod = 8, slowPeriod = 21, lookback = 2 }) {
  const [fast, slow] = [exponential(close, fastPeriod), exponential(close, slowPeriod)]
  const [fastBefore, slowBefore] = [delayed(fast, lookback), delayed(slow, lookback)]
  const rows = close.map((_, i) => {
    if (i < Math.max(fastPeriod, slowPeriod) - 1 + lookback) return { long: NaN, short: NaN }
    const isMoving = slow[i] !== slowBefore[i]
    return {
      long: Number(isMoving && fast[i] > fastBefore[i]),
      short: Number(isMoving && fast[i] < fastBefore[i]),
    }
  })
  return unzip(rows)
}

function ttm(candles, { period = 6 }) {
  const means = simple(middle(candles), period)
  return {
    value: candles.close.map((x, i) => (Number.isNaN(means[i]) ? NaN : isAbove(x, means[i]) ? 1 : -1)),
  }
}

/**
 * Histogram: the difference of two averages minus its own average. The fast and the slow average are both seeded at
 * the start of the slow one.
 */
function histogram(close, fastPeriod, slowPeriod, signalPeriod) {
  const fast = exponential(close.slice(slowPeriod - fastPeriod), fastPeriod)
  const line = exponential(close, slowPeriod).map(
    (slow, i) => (fast[i - slowPeriod + fastPeriod] ?? NaN) - slow,
  )
  const signal = exponential(line, signalPeriod)
  return line.map((value, i) => value - signal[i])
}

function impulse({ close }, { emaPeriod = 13, fastPeriod = 12, slowPeriod = 26, signalPeriod = 9 }) {
  const e = exponential(close, emaPeriod)
  const h = histogram(close, Math.min(fastPeriod, slowPeriod), Math.max(fastPeriod, slowPeriod), signalPeriod)
  return {
    value: close.map((_, i) => {
      if (i === 0 || Number.isNaN(e[i - 1] + h[i - 1])) return NaN
      return e[i] > e[i - 1] && h[i] > h[i - 1] ? 1 : e[i] < e[i - 1] && h[i] < h[i - 1] ? -1 : 0
    }),
  }
}

function chopZone({ high, low, close }, { period = 30, emaPeriod = 34 }) {
  const e = exponential(close, emaPeriod)
  const [tops, bottoms] = [highest(high, period), lowest(low, period)]
  const rows = close.map((c, i) => {
    if (i < Math.max(period - 1, emaPeriod)) return { value: NaN, zone: NaN }
    const span = ratio(25, tops[i] - bottoms[i], 0) * bottoms[i]
    const y = ((e[i - 1] - e[i]) / ((high[i] + low[i] + c) / 3)) * span
    const angle = Math.round((Math.acos(1 / Math.sqrt(1 + y * y)) * 180) / Math.PI)
    const size = [5, 3.57, 2.14, 0.71].findIndex(limit => angle >= limit)
    const zone = size < 0 ? 0 : 4 - size
    return { value: angle === 0 ? 0 : y > 0 ? -angle : angle, zone: zone === 0 ? 0 : y > 0 ? -zone : zone }
  })
  return unzip(rows)
}

function variableLength({ close }, { minPeriod = 5, maxPeriod = 50 }) {
  let [y, n] = [NaN, maxPeriod]
  return {
    value: windows(close, maxPeriod, window => {
      const x = window.at(-1)
      const m = sum(window) / maxPeriod
      const s = Math.sqrt(sum(window.map(value => (value - m) ** 2)) / maxPeriod)
      if (Number.isNaN(y)) y = x
      else {
        const d = Math.abs(x - m)
        n = Math.min(maxPeriod, Math.max(minPeriod, n + (d <= 0.25 * s ? 1 : d > 1.75 * s ? -1 : 0)))
        y += (2 / (n + 1)) * (x - y)
      }
      return y
    }),
  }
}

function adaptiveQ({ close }, { period = 11, fastPeriod = 2, slowPeriod = 30 }) {
  let y = close[period - 1]
  return {
    value: close.map((x, i) => {
      if (i < period) return NaN
      const path = sum(Array.from({ length: period }, (_, k) => Math.abs(close[i - k] - close[i - k - 1])))
      const er = path === 0 ? 0 : Math.abs(x - close[i - period]) / path
      y += ((2 * er) / (fastPeriod + 1) + 2 / (slowPeriod + 1)) ** 2 * (x - y)
      return y
    }),
  }
}

function rainbowOscillator({ close }, { period = 2, lookback = 10 }) {
  const lines = Object.values(rainbow({ close }, { period }))
  const [tops, bottoms] = [highest(close, lookback), lowest(close, lookback)]
  const rows = close.map((x, i) => {
    const r = lines.map(line => line[i])
    const unit = ratio(100, tops[i] - bottoms[i], 0)
    const upper = unit * (Math.max(...r) - Math.min(...r))
    return { value: unit * (x - sum(r) / 10), upper, lower: -upper }
  })
  return unzip(rows)
}

function exponentialHull({ close }, { period = 16 }) {
  const slow = exponential(close, period)
  const raw = exponential(close, Math.floor(period / 2)).map((fast, i) => 2 * fast - slow[i])
  return { value: exponential(raw, Math.round(Math.sqrt(period))) }
}

function mcNicholl({ close }, { period = 20 }) {
  const alpha = 2 / (period + 1)
  const e1 = exponential(close, period)
  const e2 = exponential(e1, period)
  return { value: e1.map((value, i) => ((2 - alpha) * value - e2[i]) / (1 - alpha)) }
}

function ahrens({ close }, { period = 9 }) {
  const y = []
  for (const [i, x] of close.entries()) {
    const last = i === 0 ? x : y[i - 1]
    y.push(last + (x - (last + (i < period ? x : y[i - period])) / 2) / period)
  }
  return { value: from(period - 1, y) }
}

const ribbon = ({ close }, { period = 10, step = 5, maType = 1 }) =>
  Object.fromEntries(
    Array.from({ length: 6 }, (_, k) => [
      `value${k + 1}`,
      from(period + 5 * step - 1, average(close, period + k * step, maType)),
    ]),
  )

function errorCorrecting({ close }, { period = 20, gainLimit = 50 }) {
  const alpha = 2 / (period + 1)
  let y = NaN
  return {
    value: exponential(close, period).map((e, i) => {
      if (Number.isNaN(e)) return NaN
      if (Number.isNaN(y)) y = e
      const gains = Array.from({ length: 2 * gainLimit + 1 }, (_, k) => (k - gainLimit) / 10)
      const candidates = gains.map(gain => alpha * (e + gain * (close[i] - y)) + (1 - alpha) * y)
      const distances = candidates.map(value => Math.abs(close[i] - value))
      y = candidates[distances.indexOf(Math.min(...distances))]
      return y
    }),
  }
}

function directional({ high, low }, { r = 14, s = 10, u = 5 }) {
  const raw = high.map((top, i) =>
    i === 0 ? NaN : Math.max(top - high[i - 1], 0) - Math.max(low[i - 1] - low[i], 0),
  )
  const thrice = column => exponential(exponential(exponential(column, r), s), u)
  const size = thrice(raw.map(Math.abs))
  return { value: times(over(thrice(raw), size, 0), 100) }
}

export const vectors = {
  mcginleydynamic: vector(
    'the formula of the article',
    mcGinley,
    ['daily', { period: 2, k: 1 }],
    ['daily', { period: 100 }],
  ),
  jma: vector(
    'the published formula',
    jurik,
    ['penny', { period: 2, phase: -150, power: 1 }],
    ['daily', { period: 80, phase: 120, power: 0.5 }],
  ),
  hwma: vector(
    'level, change and second change',
    holtWinters,
    ['penny', { na: 1, nb: 1, nc: 1 }],
    ['daily', { na: 0.05, nb: 0.5, nc: 0.9 }],
  ),
  holt: vector(
    'level and slope',
    holt,
    ['penny', { period: 2, gamma: 1 }],
    ['daily', { period: 50, gamma: 0.1 }],
  ),
  coral: vector(
    'six averages in a row',
    coral,
    ['penny', { period: 2, cd: 1 }],
    ['daily', { period: 100, cd: 0 }],
  ),
  kalman: vector(
    'a scalar Kalman filter',
    kalman,
    ['penny', { q: 1, r: 0.01 }],
    ['daily', { q: 0.001, r: 10 }],
  ),
  frama: vector('ranges of halves', fractalAdaptive, ['penny', { period: 3 }], ['daily', { period: 150 }]),
  edcf: vector(
    'distances of prices',
    distanceCoefficient,
    ['penny', { period: 2 }],
    ['daily', { period: 60 }],
  ),
  dsma: vector(
    'deviation of a filtered change',
    deviationScaled,
    ['penny', { period: 3 }],
    ['daily', { period: 150 }],
  ),
  naturalma: vector(
    'weighted changes of logarithms',
    natural,
    ['penny', { period: 2 }],
    ['daily', { period: 150 }],
  ),
  maenvelope: vector(
    'a mean and its share',
    envelope,
    ['penny', { period: 1, percent: 100, maType: 1 }],
    ['daily', { period: 100, percent: 0.5, maType: 2 }],
  ),
  trama: vector('share of new extremes', regularity, ['penny', { period: 2 }], ['daily', { period: 20 }]),
  gmma: vector('twelve exponential averages', guppy, ['penny', {}], ['daily', {}]),
  rainbow: vector('means of means', rainbow, ['penny', { period: 5 }], ['daily', { period: 20 }]),
  ravi: vector(
    'two means',
    rangeAction,
    ['penny', { shortPeriod: 2, longPeriod: 3 }],
    ['daily', { shortPeriod: 100, longPeriod: 40 }],
  ),
  trendintensity: vector(
    'distances above the mean',
    intensity,
    ['penny', { maPeriod: 2, period: 5 }],
    ['daily', { maPeriod: 20, period: 100 }],
    ['still', {}],
  ),
  pfe: vector(
    'length of the path',
    fractalEfficiency,
    ['penny', { period: 2, smoothing: 1 }],
    ['daily', { period: 100, smoothing: 30 }],
  ),
  amat: vector(
    'two averages and their past',
    archer,
    ['penny', { fastPeriod: 2, slowPeriod: 3, lookback: 1 }],
    ['daily', { fastPeriod: 60, slowPeriod: 30, lookback: 20 }],
  ),
  ttmtrend: vector('a mean of middles', ttm, ['penny', { period: 2 }], ['daily', { period: 100 }]),
  elderimpulse: vector(
    'an average and a histogram',
    impulse,
    ['penny', { emaPeriod: 50, fastPeriod: 3, slowPeriod: 10, signalPeriod: 1 }],
    ['daily', { emaPeriod: 5, fastPeriod: 40, slowPeriod: 20, signalPeriod: 15 }],
  ),
  chopzone: vector(
    'the angle of an average',
    chopZone,
    ['penny', { period: 3, emaPeriod: 2 }],
    ['daily', { period: 100, emaPeriod: 10 }],
    ['still', {}],
  ),
  vlma: vector(
    'a length that moves',
    variableLength,
    ['penny', { minPeriod: 1, maxPeriod: 3 }],
    ['daily', { minPeriod: 20, maxPeriod: 120 }],
  ),
  maaq: vector(
    'the efficiency of changes',
    adaptiveQ,
    ['penny', { period: 2, fastPeriod: 1, slowPeriod: 2 }],
    ['daily', { period: 60, fastPeriod: 5, slowPeriod: 100 }],
  ),
  rainbowoscillator: vector(
    'ten means and a range',
    rainbowOscillator,
    ['volatile', { period: 5, lookback: 4 }],
    ['daily', { period: 12, lookback: 150 }],
    ['still', {}],
  ),
  ehma: vector('three averages', exponentialHull, ['penny', { period: 7 }], ['daily', { period: 150 }]),
  mcnichollma: vector('two averages', mcNicholl, ['penny', { period: 2 }], ['daily', { period: 130 }]),
  ahrensma: vector(
    'the recursion of the article',
    ahrens,
    ['penny', { period: 2 }],
    ['daily', { period: 100 }],
  ),
  maribbon: vector(
    'six averages',
    ribbon,
    ['penny', { period: 2, step: 1, maType: 0 }],
    ['daily', { period: 30, step: 20, maType: 2 }],
  ),
  ecema: vector(
    'all gains',
    errorCorrecting,
    ['penny', { period: 2, gainLimit: 1 }],
    ['daily', { period: 60, gainLimit: 20 }],
  ),
  dti: vector(
    'smoothed three times',
    directional,
    ['volatile', { r: 2, s: 3, u: 1 }],
    ['daily', { r: 40, s: 30, u: 20 }],
  ),
}
