// Definitions of oscillators made of others, as their formulas stand in the sources.
import {
  changes,
  deviations,
  exponential,
  from,
  highest,
  lowest,
  mean,
  minus,
  over,
  plus,
  relativeStrength,
  simple,
  smooth,
  sum,
  times,
  trueRanges,
  unzip,
  vector,
  wilder,
  windows,
} from '../columns.js'

function macz({ close, volume }, params) {
  const { fastPeriod = 12, slowPeriod = 25, signalPeriod = 9, zPeriod = 20 } = params
  const { deviationPeriod = 25, a = 1, b = 1 } = params
  const turnover = close.map((c, i) => c * volume[i])
  const d = minus(close, over(windows(turnover, zPeriod, sum), windows(volume, zPeriod, sum)))
  const size = windows(d, zPeriod, window => Math.sqrt(mean(window.map(x => x ** 2))))
  const spread = over(
    minus(simple(close, fastPeriod), simple(close, slowPeriod)),
    deviations(close, deviationPeriod),
  )
  const value = plus(times(over(d, size), a), times(spread, b))
  const signal = simple(value, signalPeriod)
  return { value, signal, histogram: minus(value, signal) }
}

function eliminated({ close }, { period = 14 }) {
  const change = changes(close)
  const m = windows(change, period, window => {
    const up = sum(window.filter(d => d > 0))
    const down = -sum(window.filter(d => d < 0))
    return up + down === 0 ? 0 : (up - down) / (up + down)
  })
  return {
    value: windows(m, period, window => {
      const signs = window.flatMap((newer, k) =>
        window.slice(0, k).map(older => (Math.abs(newer - older) > 1e-12 ? Math.sign(newer - older) : 0)),
      )
      return sum(signs) / ((period * (period - 1)) / 2)
    }),
  }
}

function reversed({ close }, { period = 14, level = 50 }) {
  const change = changes(close)
  const up = wilder(
    change.map(d => (d > 0 ? d : d - d)),
    period,
  )
  const down = wilder(
    change.map(d => (d < 0 ? -d : d - d)),
    period,
  )
  return {
    value: close.map((c, i) => {
      const x = (period - 1) * ((down[i] * level) / (100 - level) - up[i])
      return x >= 0 ? c + x : c + (x * (100 - level)) / level
    }),
  }
}

/** The ultimate oscillator over 7, 14 and 28 candles. */
function ultimate(candles) {
  const { low, close } = candles
  const range = trueRanges(candles)
  const pressure = close.map((c, i) => (i === 0 ? NaN : c - Math.min(low[i], close[i - 1])))
  const part = (share, whole) => (whole === 0 ? 0 : share / whole)
  const share = n => {
    const whole = windows(range, n, sum)
    return windows(pressure, n, sum).map((p, i) => part(p, whole[i]))
  }
  const [seven, fourteen, all] = [7, 14, 28].map(share)
  return seven.map((s, i) => (100 * (4 * s + 2 * fourteen[i] + all[i])) / 7)
}

function flowIndex({ high, low, close, volume }, period) {
  const typical = close.map((c, i) => (high[i] + low[i] + c) / 3)
  const flow = side => changes(typical).map((d, i) => (d * side > 0 ? typical[i] * volume[i] : d - d))
  const [up, down] = [1, -1].map(side => windows(flow(side), period, sum))
  return up.map((p, i) => (p + down[i] === 0 ? 0 : (100 * p) / (p + down[i])))
}

/** The commodity channel index of a column, 0 if the column is flat. */
const channelIndex = (column, period) =>
  windows(column, period, window => {
    const spread = mean(window.map(x => Math.abs(x - mean(window))))
    return window.every(x => x === window[0]) ? 0 : (window.at(-1) - mean(window)) / (0.015 * spread)
  })

function blended(candles, { period = 14, signalPeriod = 5 }) {
  const { high, low, close } = candles
  const [top, bottom] = [highest(high, period), lowest(low, period)]
  const range = minus(top, bottom)
  const seven = [
    relativeStrength(close, period),
    range.map((r, i) => (r === 0 ? 0 : (100 * (close[i] - bottom[i])) / r)),
    ultimate(candles),
    flowIndex(candles, period),
    range.map((r, i) => (r === 0 ? 0 : (-100 * (top[i] - close[i])) / r)),
    close.map((c, i) => (i < period ? NaN : (100 * c) / close[i - period])),
    channelIndex(
      close.map((c, i) => (high[i] + low[i] + c) / 3),
      period,
    ),
  ]
  const value = close.map((_, i) => mean(seven.map(column => column[i])))
  return { value, signal: exponential(value, signalPeriod) }
}

/** Exponential smoothing that starts with the first value. */
function follow(column, period) {
  let y = NaN
  return column.map(x => {
    y = Number.isNaN(y) ? x : y + (2 / (period + 1)) * (x - y)
    return y
  })
}

function divergence({ close, volume }, params) {
  const { period = 13, smoothPeriod = 6, fastFactor = 2.618, slowFactor = 4.236 } = params
  let [p, n] = [0, 0]
  const both = close.map((c, i) => {
    if (volume[i] > volume[i - 1]) p += c - close[i - 1]
    if (volume[i] < volume[i - 1]) n -= c - close[i - 1]
    return { p, n }
  })
  const index = column => follow(minus(column, follow(column, period)), smoothPeriod)
  const { p: rising, n: falling } = unzip(both)
  const value = minus(index(rising), index(falling))
  const width = 2 * period - 1
  const r = follow(follow(changes(value).map(Math.abs), width), width)
  const line = factor => {
    let y = NaN
    return value.map((v, i) => {
      if (i <= width) y = v
      else y = v > y ? Math.max(y, v - factor * r[i]) : Math.min(y, v + factor * r[i])
      return y
    })
  }
  const center = value.map((_, i) => mean(value.slice(width, i + 1)))
  const columns = { value, fast: line(fastFactor), slow: line(slowFactor), center }
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, from(width, column)]))
}

function cycle({ close }, { period = 10, factor = 0.5 }) {
  const k = channelIndex(close, period)
  const d = minus(times(exponential(k, Math.floor((period + 1) / 2)), 2), exponential(k, period))
  const s = wilder(d, Math.max(1, Math.round(Math.sqrt(period))))
  const place = column => {
    const f = windows(column, period, window => {
      const [bottom, top] = [Math.min(...window), Math.max(...window)]
      return top - bottom > 1e-12 * 100 ? ((window.at(-1) - bottom) / (top - bottom)) * 100 : 50
    })
    return smooth(f, 1, factor)
  }
  return { value: place(place(s)) }
}

export const vectors = {
  macz: vector(
    'the formula',
    macz,
    [
      'penny',
      { fastPeriod: 1, slowPeriod: 2, signalPeriod: 1, zPeriod: 2, deviationPeriod: 2, a: -1, b: 0.5 },
    ],
    [
      'daily',
      { fastPeriod: 50, slowPeriod: 100, signalPeriod: 30, zPeriod: 150, deviationPeriod: 200, a: 2, b: 0 },
    ],
  ),
  netmyrsi: vector('pairs, counted', eliminated, ['penny', { period: 2 }], ['shapes', { period: 190 }]),
  reversersi: vector(
    'the formula',
    reversed,
    ['penny', { period: 1, level: 30 }],
    ['daily', { period: 350, level: 80 }],
    ['shapes', { period: 5, level: 70 }],
  ),
  tke: vector(
    'the mean of seven',
    blended,
    ['penny', { period: 2, signalPeriod: 1 }],
    ['volatile', { period: 200, signalPeriod: 150 }],
    ['shapes', { period: 5 }],
    ['still', {}],
  ),
  dvdiqqe: vector(
    'the recursion',
    divergence,
    ['penny', { period: 1, smoothPeriod: 1, fastFactor: 0.5, slowFactor: 1 }],
    ['daily', { period: 150, smoothPeriod: 20, fastFactor: 1, slowFactor: 2 }],
    ['shapes', {}],
  ),
  ccicycle: vector(
    'the formula',
    cycle,
    ['penny', { period: 4, factor: 1 }],
    ['daily', { period: 90, factor: 0.1 }],
    ['still', {}],
  ),
}
