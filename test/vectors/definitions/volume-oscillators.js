// Definitions of volume on either side of the market, as their formulas stand in the sources.
import { changes, exponential, over, simple, sum, times, vector, windows } from '../columns.js'

const typical = ({ high, low, close }) => close.map((c, i) => (high[i] + low[i] + c) / 3)

function movingPrice(candles, { vwapPeriod = 14, period = 8 }) {
  const { volume } = candles
  const turnover = typical(candles).map((price, i) => price * volume[i])
  return {
    value: simple(over(windows(turnover, vwapPeriod, sum), windows(volume, vwapPeriod, sum)), period),
  }
}

function finite(candles, { period = 22, factor = 0.3 }) {
  const { high, low, close, volume } = candles
  const rise = changes(typical(candles))
  const x = rise.map((d, i) => {
    const f = close[i] - (high[i] + low[i]) / 2 + d
    if (Number.isNaN(f)) return NaN
    const cut = (factor * close[i]) / 100
    return f > cut ? volume[i] : f < -cut ? -volume[i] : 0
  })
  return { value: times(over(windows(x, period, sum), windows(volume, period, sum), 0), 100) }
}

function segmented({ close, volume }, { period = 13, signalPeriod = 7 }) {
  const value = windows(
    changes(close).map((d, i) => d * volume[i]),
    period,
    sum,
  )
  return { value, signal: simple(value, signalPeriod) }
}

function zone({ close, volume }, { period = 14 }) {
  const traded = volume.map((v, i) => (i === 0 ? NaN : v))
  const x = traded.map((v, i) => (close[i] > close[i - 1] ? v : -v))
  return { value: times(over(exponential(x, period), exponential(traded, period), 0), 100) }
}

function weighted({ high, low, close, volume }, { period = 20 }) {
  let total = 0
  return {
    value: close.map((c, i) => {
      const traded = sum(volume.slice(Math.max(0, i - period + 1), i + 1))
      const range = high[i] - low[i]
      const m = range === 0 || traded === 0 ? 0 : (2 * c - high[i] - low[i]) / range
      total += traded === 0 ? 0 : (m * volume[i] ** 2) / traded
      return total
    }),
  }
}

export const vectors = {
  mvwap: vector(
    'the formula',
    movingPrice,
    ['penny', { vwapPeriod: 1, period: 1 }],
    ['daily', { vwapPeriod: 200, period: 150 }],
  ),
  fve: vector(
    'the formula',
    finite,
    ['penny', { period: 1, factor: 0 }],
    ['daily', { period: 350, factor: 1 }],
    ['still', {}],
  ),
  tsv: vector(
    'the formula',
    segmented,
    ['penny', { period: 1, signalPeriod: 1 }],
    ['daily', { period: 200, signalPeriod: 150 }],
  ),
  vzo: vector(
    'the formula',
    zone,
    ['penny', { period: 1 }],
    ['daily', { period: 350 }],
    ['shapes', {}],
    ['still', {}],
  ),
  vwad: vector('the formula', weighted, ['penny', { period: 1 }], ['daily', { period: 350 }], ['shapes', {}]),
}
