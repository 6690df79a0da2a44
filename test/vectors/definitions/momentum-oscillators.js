// Definitions of oscillators, as their formulas stand in the sources.
import {
  changes,
  delayed,
  deviations,
  exponential,
  from,
  highest,
  linear,
  lineEnds,
  lowest,
  mean,
  minus,
  over,
  ratio,
  relativeStrength,
  simple,
  smooth,
  sum,
  times,
  trueRanges,
  vector,
  wilder,
  windows,
} from '../columns.js'

export const rates = (column, distance) =>
  column.map((x, i) =>
    i < distance || column[i - distance] === 0
      ? NaN
      : (100 * (x - column[i - distance])) / column[i - distance],
  )

function strength(close, longPeriod, shortPeriod) {
  const twice = column => exponential(exponential(column, longPeriod), shortPeriod)
  const change = changes(close)
  return over(twice(change), twice(change.map(Math.abs)), 0)
}

function trueStrength({ close }, { longPeriod = 25, shortPeriod = 13, signalPeriod = 13 }) {
  const value = times(strength(close, longPeriod, shortPeriod), 100)
  return { value, signal: exponential(value, signalPeriod) }
}

function ergodic({ close }, { longPeriod = 20, shortPeriod = 5, signalPeriod = 5 }) {
  const value = strength(close, longPeriod, shortPeriod)
  const signal = exponential(value, signalPeriod)
  return { value, signal, oscillator: minus(value, signal) }
}

function knowSureThing({ close }, params) {
  const { roc1 = 10, roc2 = 15, roc3 = 20, roc4 = 30, sma1 = 10, sma2 = 10, sma3 = 10, sma4 = 15 } = params
  const lines = [
    [roc1, sma1],
    [roc2, sma2],
    [roc3, sma3],
    [roc4, sma4],
  ].map(([distance, period]) => simple(rates(close, distance), period))
  const value = close.map((_, i) => sum(lines.map((line, k) => (k + 1) * line[i])))
  return { value, signal: simple(value, params.signalPeriod ?? 9) }
}

const unsmoothed = ({ close }, { period = 14 }) => ({
  value: windows(changes(close), period, window => ratio(100 * sum(window), sum(window.map(Math.abs)), 0)),
})

function elderRay({ high, low, close }, { period = 13 }) {
  const e = exponential(close, period)
  return { bullPower: minus(high, e), bearPower: minus(low, e) }
}

function connors({ close }, { rsiPeriod = 3, streakPeriod = 2, rankPeriod = 100 }) {
  const streak = []
  close.forEach((c, i) => {
    const side = i === 0 ? 0 : Math.sign(c - close[i - 1])
    const before = streak[i - 1] ?? 0
    streak.push(side === 0 ? 0 : Math.sign(before) === side ? before + side : side)
  })
  const change = rates(close, 1)
  const rank = windows(change, rankPeriod + 1, window => {
    const now = window.at(-1)
    return (100 * window.slice(0, -1).filter(value => value < now).length) / rankPeriod
  })
  const [first, second] = [relativeStrength(close, rsiPeriod), relativeStrength(streak, streakPeriod)]
  return {
    value: from(
      Math.max(rsiPeriod, streakPeriod, rankPeriod) + 1,
      first.map((value, i) => (value + second[i] + rank[i]) / 3),
    ),
  }
}

function stochasticMomentum({ high, low, close }, params) {
  const { period = 13, firstSmooth = 25, secondSmooth = 2, signalPeriod = 3 } = params
  const e = (column, n) => smooth(column, 1, 2 / (n + 1))
  const twice = column => e(e(column, firstSmooth), secondSmooth)
  const [top, bottom] = [highest(high, period), lowest(low, period)]
  const s = close.map((c, i) => c - (top[i] + bottom[i]) / 2)
  const value = times(over(twice(s), twice(minus(top, bottom)), 0), 200)
  return { value, signal: e(value, signalPeriod) }
}

const efficiency = ({ close }, { period = 10 }) => ({
  value: windows(changes(close), period, window =>
    ratio(Math.abs(sum(window)), sum(window.map(Math.abs)), 1),
  ),
})

function laguerre({ close }, { gamma = 0.5 }) {
  let l = new Array(4).fill(close[0])
  return {
    value: close.map((c, i) => {
      const b = l
      l = [c + gamma * (b[0] - c)]
      for (let k = 1; k < 4; k++) l.push(b[k - 1] + gamma * (b[k] - l[k - 1]))
      const d = [l[0] - l[1], l[1] - l[2], l[2] - l[3]]
      const size = sum(d.map(Math.abs))
      return i === 0 ? NaN : size <= 1e-12 * Math.abs(c) ? 0.5 : sum(d.filter(v => v > 0)) / size
    }),
  }
}

/** The smoothed relative strength, and its twice smoothed changes. */
export function smoothedStrength(close, rsiPeriod, smoothPeriod) {
  const r = exponential(relativeStrength(close, rsiPeriod), smoothPeriod)
  const w = 2 * rsiPeriod - 1
  return { r, ranges: exponential(exponential(changes(r).map(Math.abs), w), w) }
}

/** The line at `factor` ranges from a strength, and the side on which it was crossed last. */
export function bandLine(r, ranges, factor) {
  const dar = times(ranges, factor)
  const [long, short, side] = [[], [], []]
  const crosses = (band, i) =>
    (r[i] > band[i - 1] && r[i - 1] <= band[i - 2]) || (r[i] < band[i - 1] && r[i - 1] >= band[i - 2])
  r.forEach((value, i) => {
    const [down, up] = [value - dar[i], value + dar[i]]
    long.push(value > long[i - 1] && r[i - 1] > long[i - 1] ? Math.max(long[i - 1], down) : down)
    short.push(value < short[i - 1] && r[i - 1] < short[i - 1] ? Math.min(short[i - 1], up) : up)
    const before = side[i - 1] ?? 1
    side.push(crosses(short, i) ? 1 : crosses(long, i) ? -1 : before)
  })
  return { side, line: side.map((s, i) => (s > 0 ? long[i] : short[i])) }
}

function quantitative({ close }, { rsiPeriod = 14, smoothPeriod = 5, factor = 4.236 }) {
  const { r, ranges } = smoothedStrength(close, rsiPeriod, smoothPeriod)
  const { side, line } = bandLine(r, ranges, factor)
  return {
    value: r,
    line,
    trend: side.map((s, i) => (Number.isNaN(ranges[i]) ? null : s > 0 ? 'up' : 'down')),
  }
}

function priceMomentum({ close }, { longPeriod = 35, shortPeriod = 20, signalPeriod = 10 }) {
  const e = times(smooth(rates(close, 1), longPeriod, 2 / longPeriod), 10)
  const value = smooth(e, shortPeriod, 2 / shortPeriod)
  return { value, signal: exponential(value, signalPeriod) }
}

function jurikStrength({ close }, { period = 14 }) {
  const k = 3 / (period + 2)
  const filter = column => {
    let [p, q] = [0, 0]
    return column.map(x => {
      p = (1 - k) * p + k * x
      q = k * p + (1 - k) * q
      return 1.5 * p - 0.5 * q
    })
  }
  const thrice = column => filter(filter(filter(column)))
  const d = changes(close).map(value => value || 0)
  const [a, b] = [thrice(d), thrice(d.map(Math.abs))]
  return {
    value: from(
      period,
      a.map((value, i) =>
        b[i] > 1e-12 * Math.abs(close[i]) ? Math.min(100, Math.max(0, 50 * (value / b[i] + 1))) : 50,
      ),
    ),
  }
}

function disparity({ close }, { period = 14 }) {
  const m = simple(close, period)
  return { value: times(over(minus(close, m), m), 100) }
}

function waveTrend({ high, low, close }, { channelPeriod = 10, averagePeriod = 21, signalPeriod = 4 }) {
  const p = close.map((c, i) => (high[i] + low[i] + c) / 3)
  const m = exponential(p, channelPeriod)
  const distance = minus(p, m).map((d, i) => (Math.abs(d) <= 1e-12 * Math.abs(p[i]) ? 0 : d))
  const size = exponential(distance.map(Math.abs), channelPeriod)
  const value = exponential(
    distance.map((d, i) => (size[i] === 0 ? 0 : d / (0.015 * size[i]))),
    averagePeriod,
  )
  return { value, signal: simple(value, signalPeriod) }
}

const strengthInBar = ({ high, low, close }) => ({
  value: over(minus(close, low), minus(high, low), 0.5),
})

function swings({ open, high, low, close }, { limitMove = 3, unit = 'price' }) {
  return close.map((c, i) => {
    if (i === 0) return NaN
    const [before, opened] = [close[i - 1], open[i - 1]]
    const a = Math.abs(high[i] - before)
    const b = Math.abs(low[i] - before)
    const d = high[i] - low[i]
    const e = Math.abs(before - opened)
    const r = a >= b && a >= d ? a - b / 2 + e / 4 : b >= d ? b - a / 2 + e / 4 : d + e / 4
    const n = c - before + (c - open[i]) / 2 + (before - opened) / 4
    const limit = unit === 'percent' ? (limitMove / 100) * before : limitMove
    return r === 0 ? 0 : ((50 * n) / r) * (Math.max(a, b) / limit)
  })
}

function accumulated(candles, params) {
  let total = 0
  return {
    value: swings(candles, params).map(value => {
      total += value || 0
      return Number.isNaN(value) ? NaN : total
    }),
  }
}

function premier({ high, low, close }, { period = 8, smoothPeriod = 5 }) {
  const [top, bottom] = [highest(high, period), lowest(low, period)]
  const k = times(over(minus(close, bottom), minus(top, bottom), 0.5), 100)
  const s = exponential(
    exponential(
      k.map(value => 0.1 * (value - 50)),
      smoothPeriod,
    ),
    smoothPeriod,
  )
  return { value: s.map(value => (Math.exp(value) - 1) / (Math.exp(value) + 1)) }
}

function deMarker({ high, low }, { period = 14 }) {
  const up = simple(
    changes(high).map(d => (Number.isNaN(d) ? d : Math.max(d, 0))),
    period,
  )
  const down = simple(
    changes(low).map(d => (Number.isNaN(d) ? d : Math.max(-d, 0))),
    period,
  )
  return {
    value: over(
      up,
      up.map((value, i) => value + down[i]),
      0.5,
    ),
  }
}

const psychological = ({ close }, { period = 12 }) => ({
  value: windows(changes(close), period, window => (100 * window.filter(d => d > 0).length) / period),
})

const volumeWeighted = (close, volume, period) =>
  close.map((_, i) => {
    if (i < period - 1) return NaN
    const at = Array.from({ length: period }, (_, k) => i - k)
    return sum(at.map(j => close[j] * volume[j])) / sum(at.map(j => volume[j]))
  })

function weightedMacd({ close, volume }, { fastPeriod = 12, slowPeriod = 26, signalPeriod = 9 }) {
  const value = minus(
    volumeWeighted(close, volume, fastPeriod),
    volumeWeighted(close, volume, slowPeriod),
  ).map(v => (Number.isFinite(v) ? v : NaN))
  const signal = exponential(value, signalPeriod)
  return { value, signal, histogram: minus(value, signal) }
}

function relativeMomentum({ close }, { period = 20, momentum = 5 }) {
  const d = changes(close, momentum)
  const up = wilder(
    d.map(v => (Number.isNaN(v) ? v : Math.max(v, 0))),
    period,
  )
  const down = wilder(
    d.map(v => (Number.isNaN(v) ? v : Math.max(-v, 0))),
    period,
  )
  return {
    value: times(
      over(
        up,
        up.map((value, i) => value + down[i]),
        0.5,
      ),
      100,
    ),
  }
}

const inverseFisher = ({ close }, { rsiPeriod = 5, wmaPeriod = 9 }) => ({
  value: linear(
    relativeStrength(close, rsiPeriod).map(r => 0.1 * (r - 50)),
    wmaPeriod,
  ).map(w => (Math.exp(2 * w) - 1) / (Math.exp(2 * w) + 1)),
})

const prettyGood = (candles, { period = 14 }) => ({
  value: over(
    minus(candles.close, simple(candles.close, period)).map((distance, i) =>
      Math.abs(distance) <= 1e-12 * Math.abs(candles.close[i]) ? 0 : distance,
    ),
    exponential(trueRanges(candles), period),
    0,
  ),
})

function bandsOfChange({ close }, { period = 20, smoothPeriod = 5, deviationPeriod = 5 }) {
  const value = rates(close, period)
  const upper = windows(value, deviationPeriod, window => Math.sqrt(mean(window.map(v => v * v))))
  return { value, average: exponential(value, smoothPeriod), upper, lower: times(upper, -1) }
}

function squeezePro(candles, params) {
  const { period = 20, stddev = 2, multLow = 2, multMid = 1.5, multHigh = 1 } = params
  const { high, low, close } = candles
  const [top, bottom, m] = [highest(high, period), lowest(low, period), simple(close, period)]
  const distances = close.map((c, i) => c - ((top[i] + bottom[i]) / 2 + m[i]) / 2)
  const [s, range] = [deviations(close, period), simple(trueRanges(candles), period)]
  const value = lineEnds(distances, period)
  return {
    value,
    squeeze: value.map((v, i) => {
      if (Number.isNaN(v)) return null
      const width = stddev * s[i]
      if (width < multHigh * range[i]) return 'high'
      return width < multMid * range[i] ? 'mid' : width < multLow * range[i] ? 'low' : 'none'
    }),
  }
}

/** The relative volatility index of a column. */
export function relativeVolatility(column, spread, period, smoothing) {
  const s = deviations(column, spread)
  const part = side =>
    s.map((value, i) =>
      i === 0 || Number.isNaN(value) ? NaN : Math.sign(column[i] - column[i - 1]) === side ? value : 0,
    )
  const a = smoothing === 'ema' ? exponential : wilder
  const [u, d] = [a(part(1), period), a(part(-1), period)]
  return u.map((value, i) => (value + d[i] === 0 ? 50 : (100 * value) / (value + d[i])))
}

const inertia = ({ close }, { period = 20, stdDevPeriod = 14, rviPeriod = 14, smoothing = 'wilder' }) => ({
  value: lineEnds(relativeVolatility(close, stdDevPeriod, rviPeriod, smoothing), period),
})

function brar({ open, high, low, close }, { period = 26 }) {
  const before = delayed(close, 1)
  const total = column => windows(column, period, sum)
  const part = column => column.map(d => (Number.isNaN(d) ? d : Math.max(d, 0)))
  return {
    ar: times(over(total(minus(high, open)), total(minus(open, low))), 100),
    br: times(over(total(part(minus(high, before))), total(part(minus(before, low)))), 100),
  }
}

function tripleChange({ close }, { period = 18, signalPeriod = 9 }) {
  const e = exponential(exponential(exponential(close, period), period), period)
  const value = rates(e, 1)
  const signal = simple(value, signalPeriod)
  return { value, signal, histogram: minus(value, signal) }
}

export const vectors = {
  tsi: vector(
    'twice smoothed changes',
    trueStrength,
    ['penny', { longPeriod: 2, shortPeriod: 1, signalPeriod: 1 }],
    ['daily', { longPeriod: 60, shortPeriod: 40, signalPeriod: 30 }],
    ['still', {}],
  ),
  smiergodic: vector(
    'twice smoothed changes',
    ergodic,
    ['penny', { longPeriod: 2, shortPeriod: 2, signalPeriod: 1 }],
    ['daily', { longPeriod: 60, shortPeriod: 40, signalPeriod: 30 }],
    ['still', {}],
  ),
  kst: vector(
    'weighted means of rates',
    knowSureThing,
    ['penny', { roc1: 1, roc2: 2, roc3: 3, roc4: 4, sma1: 1, sma2: 2, sma3: 3, sma4: 4, signalPeriod: 1 }],
    [
      'daily',
      { roc1: 50, roc2: 40, roc3: 30, roc4: 20, sma1: 30, sma2: 40, sma3: 50, sma4: 60, signalPeriod: 30 },
    ],
  ),
  cmou: vector(
    'sums of changes',
    unsmoothed,
    ['penny', { period: 5 }],
    ['daily', { period: 100 }],
    ['still', {}],
  ),
  elderray: vector(
    'distances from an average',
    elderRay,
    ['penny', { period: 1 }],
    ['daily', { period: 100 }],
  ),
  connorsrsi: vector(
    'two strengths and a rank',
    connors,
    ['volatile', { rsiPeriod: 2, streakPeriod: 5, rankPeriod: 4 }],
    ['daily', { rsiPeriod: 30, streakPeriod: 20, rankPeriod: 50 }],
    ['still', {}],
  ),
  smi: vector(
    'a smoothed distance from the middle',
    stochasticMomentum,
    ['penny', { period: 2, firstSmooth: 1, secondSmooth: 1, signalPeriod: 1 }],
    ['daily', { period: 60, firstSmooth: 10, secondSmooth: 20, signalPeriod: 30 }],
    ['still', {}],
  ),
  efficiencyratio: vector(
    'change and path',
    efficiency,
    ['volatile', { period: 2 }],
    ['daily', { period: 100 }],
    ['still', {}],
  ),
  laguerrersi: vector(
    'four stages',
    laguerre,
    ['penny', { gamma: 0.1 }],
    ['daily', { gamma: 0.9 }],
    ['still', {}],
  ),
  qqe: vector(
    'the rules of the script',
    quantitative,
    ['volatile', { rsiPeriod: 2, smoothPeriod: 1, factor: 0.5 }],
    ['daily', { rsiPeriod: 20, smoothPeriod: 10, factor: 2 }],
  ),
  pmo: vector(
    'smoothed rates',
    priceMomentum,
    ['penny', { longPeriod: 2, shortPeriod: 2, signalPeriod: 1 }],
    ['daily', { longPeriod: 100, shortPeriod: 50, signalPeriod: 30 }],
  ),
  rsx: vector(
    'three filters in a row',
    jurikStrength,
    ['penny', { period: 2 }],
    ['daily', { period: 100 }],
    ['still', {}],
  ),
  disparityindex: vector('a mean', disparity, ['penny', { period: 2 }], ['daily', { period: 100 }]),
  wavetrend: vector(
    'a smoothed distance',
    waveTrend,
    ['penny', { channelPeriod: 3, averagePeriod: 1, signalPeriod: 1 }],
    ['daily', { channelPeriod: 40, averagePeriod: 50, signalPeriod: 20 }],
    ['still', { channelPeriod: 150 }],
  ),
  ibs: vector('the place in the range', strengthInBar, ['shapes', {}], ['daily', {}], ['still', {}]),
  asi: vector(
    'the formula of the book',
    accumulated,
    ['penny', { limitMove: 0.1, unit: 'percent' }],
    ['daily', { limitMove: 100 }],
  ),
  swingindex: vector(
    'the formula of the book',
    (candles, params) => ({ value: swings(candles, params) }),
    ['penny', { limitMove: 0.1, unit: 'percent' }],
    ['daily', { limitMove: 100 }],
  ),
  premierstoch: vector(
    'a stochastic, smoothed',
    premier,
    ['penny', { period: 2, smoothPeriod: 1 }],
    ['daily', { period: 60, smoothPeriod: 20 }],
    ['still', {}],
  ),
  demarker: vector(
    'rises and falls',
    deMarker,
    ['volatile', { period: 3 }],
    ['daily', { period: 100 }],
    ['still', {}],
  ),
  psl: vector('counts of rises', psychological, ['penny', { period: 1 }], ['daily', { period: 100 }]),
  vwmacd: vector(
    'volume-weighted means',
    weightedMacd,
    ['penny', { fastPeriod: 1, slowPeriod: 2, signalPeriod: 1 }],
    ['volatile', { fastPeriod: 40, slowPeriod: 60, signalPeriod: 30 }],
  ),
  rmi: vector(
    'Wilder’s averages of changes',
    relativeMomentum,
    ['volatile', { period: 1, momentum: 1 }],
    ['daily', { period: 60, momentum: 40 }],
    ['still', {}],
  ),
  iftrsi: vector(
    'a weighted mean and its tangent',
    inverseFisher,
    ['penny', { rsiPeriod: 2, wmaPeriod: 1 }],
    ['daily', { rsiPeriod: 40, wmaPeriod: 60 }],
    ['still', {}],
  ),
  pgo: vector(
    'a distance in ranges',
    prettyGood,
    ['penny', { period: 1 }],
    ['daily', { period: 100 }],
    ['still', {}],
  ),
  rocbands: vector(
    'rates and their root mean square',
    bandsOfChange,
    ['penny', { period: 1, smoothPeriod: 1, deviationPeriod: 1 }],
    ['daily', { period: 50, smoothPeriod: 30, deviationPeriod: 40 }],
  ),
  squeezepro: vector(
    'a line and three channels',
    squeezePro,
    ['penny', { period: 2, stddev: 1, multLow: 1, multMid: 0.8, multHigh: 0.5 }],
    ['daily', { period: 60, stddev: 2.5, multLow: 3, multMid: 2, multHigh: 1.2 }],
  ),
  inertia: vector(
    'a line through a relative volatility',
    inertia,
    ['volatile', { period: 2, stdDevPeriod: 3, rviPeriod: 2, smoothing: 'ema' }],
    ['daily', { period: 60, stdDevPeriod: 30, rviPeriod: 20, smoothing: 'ema' }],
    ['still', {}],
  ),
  brar: vector('sums of distances', brar, ['volatile', { period: 5 }], ['daily', { period: 100 }]),
  trixhistogram: vector(
    'three averages and a mean',
    tripleChange,
    ['penny', { period: 1, signalPeriod: 1 }],
    ['daily', { period: 40, signalPeriod: 30 }],
  ),
}
