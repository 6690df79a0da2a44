// Definitions of flows of volume, as their formulas stand in the sources.
import {
  changes,
  delayed,
  deviations,
  exponential,
  minus,
  over,
  simple,
  sum,
  times,
  unzip,
  vector,
  windows,
} from '../columns.js'

const force = ({ close, volume }, { period = 13 }) => ({
  value: exponential(
    changes(close).map((d, i) => d * volume[i]),
    period,
  ),
})

function trend({ close, volume }) {
  let total = 0
  return {
    value: close.map((c, i) => {
      if (i > 0 && close[i - 1] !== 0) total += (volume[i] * (c - close[i - 1])) / close[i - 1]
      return total
    }),
  }
}

function percentage({ volume }, { fastPeriod = 12, slowPeriod = 26, signalPeriod = 9 }) {
  const slow = exponential(volume, slowPeriod)
  const value = times(over(minus(exponential(volume, fastPeriod), slow), slow, 0), 100)
  const signal = exponential(value, signalPeriod)
  return { value, signal, histogram: minus(value, signal) }
}

const relative = ({ volume }, { period = 20 }) => ({
  value: over(volume, delayed(simple(volume, period), 1)),
})

function rate({ volume }, { period = 12 }) {
  const before = delayed(volume, period)
  return { value: times(over(minus(volume, before), before, 0), 100) }
}

function flow({ high, low, close, volume }, params) {
  const { period = 130, deviationPeriod = 30, coef = 0.2, volumeCoef = 2.5 } = params
  const { smoothPeriod = 3, signalPeriod = 5 } = params
  const p = close.map((c, i) => (high[i] + low[i] + c) / 3)
  const s = deviations(
    p.map((price, i) => (i === 0 ? NaN : Math.log(price / p[i - 1]))),
    deviationPeriod,
  )
  const av = delayed(simple(volume, period), 1)
  const flows = p.map((price, i) => {
    const cut = coef * s[i] * close[i]
    const vc = Math.min(volume[i], volumeCoef * av[i])
    const f = price - p[i - 1]
    if (Number.isNaN(cut + vc)) return NaN
    return f > cut ? vc : f < -cut ? -vc : 0
  })
  const value = exponential(over(windows(flows, period, sum), av, 0), smoothPeriod)
  return { value, signal: exponential(value, signalPeriod) }
}

function intensity({ high, low, close, volume }, { mode = 'quotient', period = 1 }) {
  const place = close.map((c, i) =>
    high[i] === low[i] ? 0 : (2 * c - high[i] - low[i]) / (high[i] - low[i]),
  )
  return {
    value: simple(
      place.map((k, i) => (mode === 'product' ? k * volume[i] : volume[i] === 0 ? NaN : k / volume[i])),
      period,
    ),
  }
}

function confirmation({ close, volume }, { shortPeriod = 5, longPeriod = 25 }) {
  const weighted = (column, period) =>
    over(
      windows(
        column.map((x, i) => x * volume[i]),
        period,
        sum,
      ),
      windows(volume, period, sum),
    )
  const [long, short] = [weighted(close, longPeriod), weighted(close, shortPeriod)]
  const distance = minus(long, simple(close, longPeriod))
  const ratio = over(short, simple(close, shortPeriod))
  const share = over(simple(volume, shortPeriod), simple(volume, longPeriod))
  const value = distance.map((d, i) => d * ratio[i] * share[i])
  return { value, signal: weighted(value, shortPeriod) }
}

const rank = ({ close, volume }) => ({
  value: close.map((c, i) => {
    if (i === 0) return NaN
    const hasVolume = volume[i] > volume[i - 1]
    if (c > close[i - 1]) return hasVolume ? 1 : 2
    return hasVolume ? 4 : 3
  }),
})

function archer({ close, volume }, { fastPeriod = 4, slowPeriod = 12, runLength = 2 }) {
  let total = 0
  const value = close.map((c, i) => {
    total += i === 0 ? volume[0] : Math.sign(c - close[i - 1]) * volume[i]
    return total
  })
  const [fast, slow] = [exponential(value, fastPeriod), exponential(value, slowPeriod)]
  const [fastBefore, slowBefore] = [delayed(fast, runLength), delayed(slow, runLength)]
  const rows = value.map((_, i) => {
    if (Number.isNaN(slowBefore[i])) return { long: null, short: null }
    return {
      long: fast[i] > fastBefore[i] && slow[i] !== slowBefore[i],
      short: fast[i] < fastBefore[i] && slow[i] !== slowBefore[i],
    }
  })
  return { value, fast, slow, ...unzip(rows) }
}

const turnover = ({ close, volume }, { signed = false }) => ({
  value: close.map((c, i) => c * volume[i] * (signed && i > 0 ? Math.sign(c - close[i - 1]) : 1)),
})

export const vectors = {
  forceindex: vector('changes times volume', force, ['penny', { period: 1 }], ['daily', { period: 100 }]),
  pvt: vector('a running sum', trend, ['penny', {}], ['daily', {}]),
  pvo: vector(
    'averages of the volume',
    percentage,
    ['penny', { fastPeriod: 1, slowPeriod: 2, signalPeriod: 1 }],
    ['volatile', { fastPeriod: 40, slowPeriod: 60, signalPeriod: 30 }],
    ['still', {}],
  ),
  relativevolume: vector(
    'a mean of the volume',
    relative,
    ['penny', { period: 1 }],
    ['volatile', { period: 100 }],
  ),
  vroc: vector(
    'a change of the volume',
    rate,
    ['penny', { period: 1 }],
    ['volatile', { period: 100 }],
    ['still', {}],
  ),
  vfi: vector(
    'flows above a cut',
    flow,
    ['penny', { period: 5, deviationPeriod: 2, coef: 0.5, volumeCoef: 1, smoothPeriod: 1, signalPeriod: 1 }],
    [
      'volatile',
      { period: 40, deviationPeriod: 60, coef: 0.1, volumeCoef: 1.5, smoothPeriod: 20, signalPeriod: 10 },
    ],
    ['still', {}],
  ),
  intradayintensity: vector(
    'the place in the range and the volume',
    intensity,
    ['penny', { mode: 'product', period: 3 }],
    ['volatile', { mode: 'quotient', period: 60 }],
  ),
  vpci: vector(
    'weighted and plain means',
    confirmation,
    ['penny', { shortPeriod: 1, longPeriod: 2 }],
    ['volatile', { shortPeriod: 40, longPeriod: 60 }],
  ),
  pricevolumerank: vector('four cases', rank, ['penny', {}], ['daily', {}]),
  aobv: vector(
    'averages of a balance',
    archer,
    ['penny', { fastPeriod: 1, slowPeriod: 2, runLength: 1 }],
    ['daily', { fastPeriod: 30, slowPeriod: 60, runLength: 20 }],
    ['still', { fastPeriod: 30, slowPeriod: 60 }],
  ),
  pricevolume: vector('a product', turnover, ['penny', { signed: true }], ['daily', {}]),
}
