// Definitions of trailing stops and of lines that turn, candle by candle as their scripts and books say.
import {
  average,
  averageRange,
  delayed,
  exponential,
  from,
  highest,
  isAbove,
  lowest,
  mean,
  middle,
  relativeStrength,
  simple,
  sum,
  trueRanges,
  unzip,
  vector,
  wilder,
  windows,
} from '../columns.js'

function heikinAshi({ open, high, low, close }) {
  const rows = []
  close.forEach((c, i) => {
    const end = (open[i] + high[i] + low[i] + c) / 4
    const start = i === 0 ? (open[0] + c) / 2 : (rows[i - 1].open + rows[i - 1].close) / 2
    rows.push({
      open: start,
      high: Math.max(high[i], start, end),
      low: Math.min(low[i], start, end),
      close: end,
    })
  })
  return unzip(rows)
}

function gator(candles, params) {
  const {
    jawPeriod = 13,
    jawOffset = 8,
    teethPeriod = 8,
    teethOffset = 5,
    lipsPeriod = 5,
    lipsOffset = 3,
  } = params
  const line = (period, offset) => delayed(wilder(middle(candles), period), offset)
  const [jaw, teeth, lips] = [
    line(jawPeriod, jawOffset),
    line(teethPeriod, teethOffset),
    line(lipsPeriod, lipsOffset),
  ]
  const upper = jaw.map((value, i) => Math.abs(value - teeth[i]))
  const lower = teeth.map((value, i) => -Math.abs(value - lips[i]))
  const first = Math.max(jawPeriod + jawOffset, teethPeriod + teethOffset, lipsPeriod + lipsOffset)
  const columns = {
    upper,
    lower,
    upperExpanding: upper.map((value, i) => Number(value > upper[i - 1])),
    lowerExpanding: lower.map((value, i) => Number(value < lower[i - 1])),
  }
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, from(first, column)]))
}

function gannHiLo({ high, low, close }, { highPeriod = 13, lowPeriod = 21 }) {
  const [highs, lows] = [simple(high, highPeriod), simple(low, lowPeriod)]
  const rows = []
  close.forEach((c, i) => {
    const before = rows[i - 1]
    if (i < Math.max(highPeriod, lowPeriod)) rows.push({ value: NaN, trend: NaN })
    else if (isAbove(c, highs[i - 1])) rows.push({ value: lows[i], trend: 1 })
    else if (isAbove(lows[i - 1], c)) rows.push({ value: highs[i], trend: -1 })
    else rows.push(Number.isNaN(before.trend) ? { value: lows[i], trend: 1 } : before)
  })
  return unzip(rows)
}

function chandelier(candles, { period = 22, multiplier = 3 }) {
  const range = averageRange(candles, period)
  const [tops, bottoms] = [highest(candles.high, period), lowest(candles.low, period)]
  return {
    long: tops.map((top, i) => top - multiplier * range[i]),
    short: bottoms.map((bottom, i) => bottom + multiplier * range[i]),
  }
}

function chandeKroll(candles, { period = 10, multiplier = 1, stopPeriod = 9 }) {
  const { long, short } = chandelier(candles, { period, multiplier })
  return { long: highest(long, stopPeriod), short: lowest(short, stopPeriod) }
}

function volatilityStop(candles, { period = 7, multiplier = 3 }) {
  const { close } = candles
  const range = averageRange(candles, period)
  const start = close.slice(0, period)
  let isUp = start.at(-1) > start[0]
  let extreme = isUp ? Math.max(...start) : Math.min(...start)
  const rows = close.map((c, i) => {
    const keep = () => {
      extreme = isUp ? Math.max(extreme, c) : Math.min(extreme, c)
    }
    if (i <= period) {
      if (i === period) keep()
      return { value: NaN, trend: NaN, stop: NaN }
    }
    const value = extreme + (isUp ? -1 : 1) * multiplier * range[i - 1]
    const isStopped = isUp ? c < value : c > value
    const row = { value, trend: isUp ? 1 : -1, stop: Number(isStopped) }
    if (isStopped) {
      isUp = !isUp
      extreme = c
    } else keep()
    return row
  })
  return unzip(rows)
}

function atrTrailing(candles, { period = 21, multiplier = 3, endType = 'close' }) {
  const { high, low, close } = candles
  const range = averageRange(candles, period)
  let [upper, lower, isUp] = [NaN, NaN, true]
  const rows = close.map((c, i) => {
    if (i < period) return { value: NaN, buyStop: NaN, sellStop: NaN }
    const u = (endType === 'close' ? c : high[i]) + multiplier * range[i]
    const d = (endType === 'close' ? c : low[i]) - multiplier * range[i]
    if (i === period) [upper, lower, isUp] = [u, d, c >= close[i - 1]]
    if (u < upper || close[i - 1] > upper) upper = u
    if (d > lower || close[i - 1] < lower) lower = d
    isUp = !(c <= (isUp ? lower : upper))
    return { value: isUp ? lower : upper, buyStop: isUp ? NaN : upper, sellStop: isUp ? lower : NaN }
  })
  return unzip(rows)
}

function tradingViewStop(candles, { period = 20, multiplier = 2 }) {
  const range = averageRange(candles, period)
  let [top, bottom, stop, isUp] = [NaN, NaN, NaN, true]
  const rows = candles.close.map((c, i) => {
    if (i < period) return { value: NaN, trend: NaN }
    const d = multiplier * range[i]
    if (i === period) [top, bottom, stop] = [c, c, c - d]
    top = Math.max(top, c)
    bottom = Math.min(bottom, c)
    stop = isUp ? Math.max(stop, top - d) : Math.min(stop, bottom + d)
    const side = c >= stop
    if (side !== isUp) {
      isUp = side
      top = c
      bottom = c
      stop = isUp ? c - d : c + d
    }
    return { value: stop, trend: isUp ? 1 : -1 }
  })
  return unzip(rows)
}

function utBot(candles, { multiplier = 1, period = 10 }) {
  const { close } = candles
  const range = averageRange(candles, period)
  const rows = []
  close.forEach((c, i) => {
    const loss = multiplier * range[i]
    const s = rows[i - 1]?.value
    const before = close[i - 1]
    let value = c > s ? c - loss : c + loss
    if (i === period) value = c - loss
    else if (c > s && before > s) value = Math.max(s, c - loss)
    else if (c < s && before < s) value = Math.min(s, c + loss)
    const turn = c > value && before <= s ? 1 : c < value && before >= s ? -1 : 0
    rows.push(i < period ? { value: NaN, signal: NaN } : { value, signal: i === period ? 0 : turn })
  })
  return unzip(rows)
}

function halfTrend(candles, { amplitude = 2, channelDeviation = 2, atrPeriod = 100 }) {
  const { high, low, close } = candles
  const range = averageRange(candles, atrPeriod)
  const [highs, lows] = [simple(high, amplitude), simple(low, amplitude)]
  let [t, next, mx, mn] = [0, 0, low[0], high[0]]
  let [up, down] = [undefined, undefined]
  const rows = close.map((c, i) => {
    const start = Math.max(0, i - amplitude + 1)
    const hi = Math.max(...high.slice(start, i + 1))
    const lo = Math.min(...low.slice(start, i + 1))
    const before = t
    if (next === 1) {
      mx = Math.max(lo, mx)
      if (isAbove(mx, highs[i]) && c < low[i - 1]) [t, next, mn] = [1, 0, hi]
    } else {
      mn = Math.min(hi, mn)
      if (isAbove(lows[i], mn) && c > high[i - 1]) [t, next, mx] = [0, 1, lo]
    }
    if (t === 0) up = before === 1 && down !== undefined ? down : up === undefined ? mx : Math.max(mx, up)
    else down = before === 0 && up !== undefined ? up : down === undefined ? mn : Math.min(mn, down)
    const value = t === 0 ? up : down
    const band = (channelDeviation * range[i]) / 2
    return { value, trend: t === 0 ? 1 : -1, upper: value + band, lower: value - band }
  })
  const first = Math.max(atrPeriod, amplitude - 1)
  return Object.fromEntries(Object.entries(unzip(rows)).map(([name, column]) => [name, from(first, column)]))
}

/** The average that moves with the momentum of nine candles. */
export function variable(column, period) {
  let v = NaN
  return column.map((x, i) => {
    if (i < 8) return NaN
    if (i === 8) v = x
    else {
      const changes = Array.from({ length: 9 }, (_, k) => column[i - k] - column[i - k - 1])
      const u = sum(changes.filter(change => change > 0))
      const w = -sum(changes.filter(change => change < 0))
      const k = u + w === 0 ? 0 : Math.abs(u - w) / (u + w)
      v += (2 / (period + 1)) * k * (x - v)
    }
    return v
  })
}

/** The stop that follows an average at a distance, and its side. */
export function follow(line, distance) {
  let [ls, ss, dir] = [NaN, NaN, 1]
  return line.map((v, i) => {
    if (Number.isNaN(v + distance(i))) return { stop: NaN, side: NaN }
    const [lastLong, lastShort] = [ls, ss]
    ls = v - distance(i)
    ss = v + distance(i)
    if (v > lastLong) ls = Math.max(ls, lastLong)
    if (v < lastShort) ss = Math.min(ss, lastShort)
    if (dir === -1 && v > lastShort) dir = 1
    else if (dir === 1 && v < lastLong) dir = -1
    return { stop: dir === 1 ? ls : ss, side: dir }
  })
}

function optimizedTracker({ close }, { period = 2, percent = 1.4 }) {
  const line = variable(close, period)
  const rows = follow(line, i => (line[i] * percent) / 100).map(({ stop, side }, i) => ({
    value: (stop * (line[i] > stop ? 200 + percent : 200 - percent)) / 200,
    support: line[i],
    trend: side,
  }))
  return Object.fromEntries(Object.entries(unzip(rows)).map(([name, column]) => [name, from(9, column)]))
}

function profitMaximizer(candles, { period = 10, multiplier = 3, maType = 1, maPeriod = 10 }) {
  const range = averageRange(candles, period)
  const line = average(middle(candles), maPeriod, maType)
  const first = Math.max(period, maPeriod - 1)
  const rows = follow(from(first, line), i => multiplier * range[i])
  return { value: rows.map(row => row.stop), trend: rows.map(row => row.side), ma: from(first, line) }
}

function movingStopLoss({ close }, { period = 9, percent = 2, maType = 1 }) {
  const line = average(close, period, maType)
  const rows = follow(line, i => (line[i] * percent) / 100)
  return { value: rows.map(row => row.stop), ma: line, trend: rows.map(row => row.side) }
}

function ssl({ high, low, close }, { period = 10 }) {
  const [highs, lows] = [simple(high, period), simple(low, period)]
  let side = 1
  const rows = close.map((c, i) => {
    if (i < period - 1) return { up: NaN, down: NaN, trend: NaN }
    if (isAbove(c, highs[i])) side = 1
    else if (isAbove(lows[i], c)) side = -1
    return side === 1 ? { up: highs[i], down: lows[i], trend: 1 } : { up: lows[i], down: highs[i], trend: -1 }
  })
  return unzip(rows)
}

function moneyFlow({ high, low, close, volume }, period) {
  const typical = high.map((top, i) => (top + low[i] + close[i]) / 3)
  const flow = typical.map((price, i) =>
    i === 0 ? NaN : Math.sign(price - typical[i - 1]) * price * volume[i],
  )
  return windows(flow, period, window => {
    const total = sum(window.map(Math.abs))
    return total === 0 ? 0 : (100 * sum(window.filter(value => value > 0))) / total
  })
}

function alphaTrend(candles, { period = 14, coefficient = 1, momentum = 'mfi' }) {
  const range = simple(trueRanges(candles), period)
  const strength = momentum === 'mfi' ? moneyFlow(candles, period) : relativeStrength(candles.close, period)
  let line = NaN
  const value = strength.map((q, i) => {
    if (i < period) return NaN
    const next = q >= 50 ? candles.low[i] - coefficient * range[i] : candles.high[i] + coefficient * range[i]
    line = i === period ? next : q >= 50 ? Math.max(next, line) : Math.min(next, line)
    return line
  })
  return { value, lagged: delayed(value, 2) }
}

function rangeFilter({ close }, { period = 14, multiplier = 2.618, smoothPeriod = 27 }) {
  const changes = close.map((c, i) => (i === 0 ? NaN : Math.abs(c - close[i - 1])))
  const range = exponential(
    exponential(changes, period).map(value => multiplier * value),
    smoothPeriod,
  )
  let y = NaN
  const rows = close.map((c, i) => {
    if (Number.isNaN(range[i])) {
      y = c
      return { value: NaN, upper: NaN, lower: NaN }
    }
    y = Math.max(c - range[i], Math.min(c + range[i], y))
    return { value: y, upper: y + range[i], lower: y - range[i] }
  })
  return unzip(rows)
}

function nadarayaWatson({ close }, { bandwidth = 8, multiplier = 3, lookback = 200 }) {
  const weights = Array.from({ length: lookback }, (_, k) => Math.exp(-(k ** 2) / (2 * bandwidth ** 2)))
  const y = windows(
    close,
    lookback,
    window => sum(window.map((x, j) => x * weights[lookback - 1 - j])) / sum(weights),
  )
  const width = windows(
    close.map((x, i) => Math.abs(x - y[i])),
    lookback - 1,
    window => multiplier * mean(window),
  )
  return {
    upper: y.map((value, i) => value + width[i]),
    middle: from(2 * lookback - 3, y),
    lower: y.map((value, i) => value - width[i]),
  }
}

function randomWalk(candles, { period = 14 }) {
  const { high, low } = candles
  const means = Array.from({ length: period + 1 }, (_, m) => (m < 2 ? [] : simple(trueRanges(candles), m)))
  const rows = high.map((top, i) => {
    if (i < period + 1) return { high: NaN, low: NaN }
    const lengths = means.map((mean, m) => [m, mean[i - 1]]).filter(([m, mean]) => m >= 2 && mean > 0)
    const greatest = ratios => (ratios.length === 0 ? 0 : Math.max(...ratios))
    return {
      high: greatest(lengths.map(([m, mean]) => (top - low[i - m]) / (mean * Math.sqrt(m)))),
      low: greatest(lengths.map(([m, mean]) => (high[i - m] - low[i]) / (mean * Math.sqrt(m)))),
    }
  })
  return unzip(rows)
}

function magic(candles, { cciPeriod = 20, atrPeriod = 5, multiplier = 1 }) {
  const { high, low, close } = candles
  const range = simple(trueRanges(candles), atrPeriod)
  const cci = windows(close, cciPeriod, window => {
    const m = mean(window)
    const d = mean(window.map(x => Math.abs(x - m)))
    return d === 0 ? 0 : (window.at(-1) - m) / (0.015 * d)
  })
  let line = NaN
  const rows = close.map((_, i) => {
    if (i < Math.max(atrPeriod, cciPeriod - 1)) return { value: NaN, trend: NaN }
    const isUp = cci[i] >= -1e-9
    const next = isUp ? low[i] - multiplier * range[i] : high[i] + multiplier * range[i]
    line = Number.isNaN(line) ? next : isUp ? Math.max(next, line) : Math.min(next, line)
    return { value: line, trend: isUp ? 1 : -1 }
  })
  return unzip(rows)
}

function smoothedHeikinAshi(candles, { period = 10, smoothPeriod = 10 }) {
  const start = period - 1
  const means = Object.fromEntries(
    ['open', 'high', 'low', 'close'].map(name => [name, exponential(candles[name], period).slice(start)]),
  )
  const missing = new Array(start).fill(NaN)
  return Object.fromEntries(
    Object.entries(heikinAshi(means)).map(([name, column]) => [
      name,
      exponential([...missing, ...column], smoothPeriod),
    ]),
  )
}

function triggerFactor({ high, low }, { period = 15 }) {
  const [tops, bottoms] = [highest(high, period), lowest(low, period)]
  const [topsBefore, bottomsBefore] = [delayed(tops, period), delayed(bottoms, period)]
  return {
    value: tops.map((top, i) => {
      const buyers = top - bottomsBefore[i]
      const sellers = topsBefore[i] - bottoms[i]
      return buyers + sellers === 0 ? 0 : (100 * (buyers - sellers)) / ((buyers + sellers) / 2)
    }),
  }
}

function devStop({ high, low }, { period = 20, multiplier = 0 }) {
  const range = high.map((top, i) =>
    i === 0 ? NaN : Math.max(top, high[i - 1]) - Math.min(low[i], low[i - 1]),
  )
  const distance = windows(
    range,
    period,
    window => mean(window) + multiplier * Math.sqrt(mean(window.map(x => (x - mean(window)) ** 2))),
  )
  return {
    long: highest(
      high.map((top, i) => top - distance[i]),
      period,
    ),
    short: lowest(
      low.map((bottom, i) => bottom + distance[i]),
      period,
    ),
  }
}

function safeZone({ high, low }, { period = 22, multiplier = 2.5, lookback = 3 }) {
  const meanOf = column =>
    windows(column, period, window => {
      const positive = window.filter(x => x > 0)
      return positive.length === 0 ? 0 : mean(positive)
    })
  const fall = meanOf(low.map((bottom, i) => (i === 0 ? NaN : low[i - 1] - bottom)))
  const rise = meanOf(high.map((top, i) => (i === 0 ? NaN : top - high[i - 1])))
  return {
    long: highest(
      fall.map((value, i) => low[i - 1] - multiplier * value),
      lookback,
    ),
    short: lowest(
      rise.map((value, i) => high[i - 1] + multiplier * value),
      lookback,
    ),
  }
}

function kaufman({ high, low }, { period = 22, multiplier = 2 }) {
  const range = simple(
    high.map((top, i) => top - low[i]),
    period,
  )
  return {
    long: range.map((value, i) => low[i] - multiplier * value),
    short: range.map((value, i) => high[i] + multiplier * value),
  }
}

function trailingReverse({ close }, { percent = 2 }) {
  const p = percent / 100
  let [extreme, isUp] = [close[0], true]
  const rows = close.map(c => {
    extreme = isUp ? Math.max(extreme, c) : Math.min(extreme, c)
    if (isUp ? c <= extreme * (1 - p) : c > extreme * (1 + p)) {
      isUp = !isUp
      extreme = c
    }
    return { value: extreme * (isUp ? 1 - p : 1 + p), trend: isUp ? 1 : -1 }
  })
  return unzip(rows)
}

export const vectors = {
  heikinashi: vector('the rule of the candles', heikinAshi, ['penny', {}], ['daily', {}]),
  gator: vector(
    'three smoothed averages',
    gator,
    ['penny', { jawPeriod: 1, jawOffset: 0, teethPeriod: 2, teethOffset: 1, lipsPeriod: 3, lipsOffset: 0 }],
    [
      'daily',
      { jawPeriod: 50, jawOffset: 10, teethPeriod: 30, teethOffset: 40, lipsPeriod: 10, lipsOffset: 20 },
    ],
  ),
  gannhilo: vector(
    'means and the last close outside them',
    gannHiLo,
    ['penny', { highPeriod: 2, lowPeriod: 2 }],
    ['daily', { highPeriod: 50, lowPeriod: 10 }],
    ['still', {}],
  ),
  chandelierexit: vector(
    'extremes and an average range',
    chandelier,
    ['penny', { period: 2, multiplier: 0 }],
    ['daily', { period: 100, multiplier: 1.5 }],
  ),
  chandekrollstop: vector(
    'extremes of extremes',
    chandeKroll,
    ['penny', { period: 2, multiplier: 0.5, stopPeriod: 1 }],
    ['daily', { period: 40, multiplier: 2, stopPeriod: 30 }],
  ),
  volatilitystop: vector(
    'the rules of the book',
    volatilityStop,
    ['penny', { period: 2, multiplier: 0.5 }],
    ['daily', { period: 50, multiplier: 2 }],
  ),
  atrtrailingstop: vector(
    'two lines of which one applies',
    atrTrailing,
    ['penny', { period: 2, multiplier: 0.5, endType: 'highlow' }],
    ['daily', { period: 50, multiplier: 1, endType: 'close' }],
  ),
  vstop: vector(
    'the rules of the script',
    tradingViewStop,
    ['penny', { period: 1, multiplier: 0.5 }],
    ['daily', { period: 50, multiplier: 3 }],
  ),
  utbot: vector(
    'the rules of the script',
    utBot,
    ['penny', { multiplier: 0.3, period: 1 }],
    ['daily', { multiplier: 3, period: 50 }],
  ),
  halftrend: vector(
    'the rules of the script',
    halfTrend,
    ['penny', { amplitude: 1, channelDeviation: 0, atrPeriod: 1 }],
    ['daily', { amplitude: 30, channelDeviation: 1, atrPeriod: 20 }],
  ),
  ott: vector(
    'the rules of the script',
    optimizedTracker,
    ['penny', { period: 1, percent: 0.2 }],
    ['daily', { period: 50, percent: 0.5 }],
  ),
  pmax: vector(
    'the rules of the script',
    profitMaximizer,
    ['penny', { period: 1, multiplier: 0.5, maType: 0, maPeriod: 3 }],
    ['daily', { period: 20, multiplier: 2, maType: 2, maPeriod: 50 }],
  ),
  most: vector(
    'the rules of the script',
    movingStopLoss,
    ['penny', { period: 1, percent: 0.3, maType: 0 }],
    ['daily', { period: 50, percent: 1, maType: 2 }],
  ),
  sslchannel: vector(
    'means and the last close outside',
    ssl,
    ['penny', { period: 1 }],
    ['daily', { period: 100 }],
    ['still', {}],
  ),
  alphatrend: vector(
    'the rules of the script',
    alphaTrend,
    ['penny', { period: 2, coefficient: 0.5, momentum: 'rsi' }],
    ['daily', { period: 50, coefficient: 2, momentum: 'mfi' }],
  ),
  rangefilter: vector(
    'the rules of the script',
    rangeFilter,
    ['penny', { period: 1, multiplier: 0.5, smoothPeriod: 1 }],
    ['daily', { period: 50, multiplier: 1, smoothPeriod: 10 }],
  ),
  nadarayawatson: {
    source: 'definition: a weighted mean and its distances',
    compute: nadarayaWatson,
    cases: [
      ['bent', {}],
      ['penny', { bandwidth: 1, multiplier: 1, lookback: 3 }],
      ['daily', { bandwidth: 20, multiplier: 2, lookback: 100 }],
    ],
  },
  randomwalkindex: vector(
    'all lengths',
    randomWalk,
    ['penny', { period: 2 }],
    ['daily', { period: 60 }],
    ['still', {}],
  ),
  trendmagic: vector(
    'the rules of the script',
    magic,
    ['penny', { cciPeriod: 2, atrPeriod: 1, multiplier: 0.5 }],
    ['daily', { cciPeriod: 50, atrPeriod: 60, multiplier: 2 }],
  ),
  smoothedheikinashi: vector(
    'candles of averages',
    smoothedHeikinAshi,
    ['penny', { period: 1, smoothPeriod: 2 }],
    ['daily', { period: 40, smoothPeriod: 60 }],
  ),
  trendtriggerfactor: vector(
    'two neighbouring ranges',
    triggerFactor,
    ['volatile', { period: 3 }],
    ['daily', { period: 100 }],
    ['still', {}],
  ),
  devstop: vector(
    'extremes of distances',
    devStop,
    ['penny', { period: 2, multiplier: 1 }],
    ['daily', { period: 60, multiplier: 2.2 }],
  ),
  safezonestop: vector(
    'means of rises and falls',
    safeZone,
    ['penny', { period: 1, multiplier: 1, lookback: 1 }],
    ['daily', { period: 60, multiplier: 3, lookback: 20 }],
  ),
  kaufmanstop: vector(
    'a mean range',
    kaufman,
    ['penny', { period: 1, multiplier: 0.5 }],
    ['daily', { period: 100, multiplier: 3 }],
  ),
  nrtr: vector(
    'the rules of the script',
    trailingReverse,
    ['penny', { percent: 0.3 }],
    ['daily', { percent: 10 }],
  ),
}
