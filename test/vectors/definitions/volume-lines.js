// Definitions of lines of the volume, as their formulas stand in the sources.
import { highest, lowest, mean, minus, over, plus, simple, sum, vector, wilder, windows } from '../columns.js'
import { anchorOf } from './volume.js'

function elastic({ close, volume }, { period = 20 }) {
  let y = NaN
  return {
    value: windows(volume, period, sum).map((total, i) => {
      if (i === period - 1) y = close[i]
      else if (total > 0) y = (y * (total - volume[i]) + close[i] * volume[i]) / total
      return y
    }),
  }
}

/** The volume with the sign of the change of the close, the first one as given. */
const signed = (close, volume, first) =>
  volume.map((traded, i) => (i === 0 ? first : Math.sign(close[i] - close[i - 1]) * traded))
const running = column => column.map((_, i) => sum(column.slice(0, i + 1)))

const smoothedBalance = ({ close, volume }, { period = 7 }) => ({
  value: simple(running(signed(close, volume, volume[0])), period),
})

function moneyFlow({ high, low, close, volume }, { period = 21 }) {
  const flows = close.map((c, i) => {
    if (i === 0) return NaN
    const [top, bottom] = [Math.max(high[i], close[i - 1]), Math.min(low[i], close[i - 1])]
    return top === bottom ? 0 : (volume[i] * (c - bottom - (top - c))) / (top - bottom)
  })
  const traded = volume.map((v, i) => (i === 0 ? NaN : v))
  return { value: over(wilder(flows, period), wilder(traded, period), 0) }
}

/** `calculate` of the candles [first, i] since the anchor of each candle i. */
function sinceAnchor(timestamp, anchorPeriod, calculate) {
  const anchors = timestamp.map(time => anchorOf(time, anchorPeriod))
  return anchors.map((anchor, i) => calculate(anchors.indexOf(anchor), i + 1))
}

const timeWeighted = ({ open, high, low, close, timestamp }, { anchorPeriod = 'session' }) => ({
  value: sinceAnchor(timestamp, anchorPeriod, (first, end) =>
    mean(close.map((c, i) => (open[i] + high[i] + low[i] + c) / 4).slice(first, end)),
  ),
})

function weightedBands({ high, low, close, volume, timestamp }, { stddev = 1, anchorPeriod = 'session' }) {
  const prices = close.map((c, i) => (high[i] + low[i] + c) / 3)
  const weightedMean = (values, weights) => sum(values.map((x, k) => x * weights[k])) / sum(weights)
  const value = sinceAnchor(timestamp, anchorPeriod, (first, end) =>
    weightedMean(prices.slice(first, end), volume.slice(first, end)),
  )
  const width = sinceAnchor(timestamp, anchorPeriod, (first, end) => {
    const squares = prices.slice(first, end).map(p => (p - value[end - 1]) ** 2)
    return stddev * Math.sqrt(weightedMean(squares, volume.slice(first, end)))
  })
  return { value, upper: plus(value, width), lower: minus(value, width) }
}

const williams = ({ open, high, low, close, volume }, { period = 1 }) => ({
  value: windows(
    close.map((c, i) => (high[i] === low[i] ? 0 : (volume[i] * (c - open[i])) / (high[i] - low[i]))),
    period,
    sum,
  ),
})

function accumulation({ high, low, close, volume }, { period = 14 }) {
  const flows = close.map((c, i) => volume[i] * (c - (high[i] + low[i]) / 2))
  return { value: running(flows), oscillator: simple(flows, period) }
}

function upAndDown({ close, volume }, { period = 50 }) {
  const flows = signed(close, volume, NaN)
  const total = side => windows(flows, period, window => sum(window.map(flow => Math.max(side * flow, 0))))
  return { value: over(total(1), total(-1)) }
}

function tradeIndex({ close, volume }, { minTick = 0.125, unit = 'price' }) {
  let side = 1
  return {
    value: running(
      close.map((c, i) => {
        const change = i === 0 ? 0 : c - close[i - 1]
        const least = unit === 'percent' ? (minTick / 100) * close[i - 1] : minTick
        if (Math.abs(change) > least) side = Math.sign(change)
        return side * volume[i]
      }),
    ),
  }
}

const net = ({ close, volume }) => ({ value: signed(close, volume, NaN) })

function better({ high, low, volume }, { period = 20, averagePeriod = 100 }) {
  const range = minus(high, low)
  const products = range.map((r, i) => r * volume[i])
  const quotients = []
  range.forEach((r, i) => {
    quotients.push(r === 0 ? (quotients[i - 1] ?? 0) : volume[i] / r)
  })
  const quietest = lowest(volume, period)
  const largest = highest(products, period)
  const [most, least] = [highest(quotients, period), lowest(quotients, period)]
  const value = volume.map((v, i) => {
    if (i < period - 1) return null
    const isAtLeast = (a, b) => a >= b - 1e-9 * Math.abs(b)
    const isClimax = isAtLeast(products[i], largest[i])
    const isChurn = isAtLeast(quotients[i], most[i])
    if (isAtLeast(least[i], quotients[i])) return 'lowchurn'
    if (isClimax && isChurn) return 'climaxchurn'
    if (isChurn) return 'churn'
    if (isClimax) return 'climax'
    return v === quietest[i] ? 'low' : 'none'
  })
  return { value, average: simple(volume, averagePeriod) }
}

export const vectors = {
  evwma: vector(
    'weights by the share in the volume',
    elastic,
    ['penny', { period: 1 }],
    ['daily', { period: 100 }],
  ),
  sobv: vector('a mean of a balance', smoothedBalance, ['penny', { period: 1 }], ['daily', { period: 100 }]),
  twiggs: vector(
    'averages of flows',
    moneyFlow,
    ['penny', { period: 1 }],
    ['daily', { period: 100 }],
    ['still', {}],
  ),
  twap: vector(
    'a mean since the anchor',
    timeWeighted,
    ['penny', { anchorPeriod: 'week' }],
    ['daily', { anchorPeriod: 'month' }],
  ),
  wvad: vector(
    'the place of bodies in ranges',
    williams,
    ['shapes', { period: 3 }],
    ['daily', { period: 24 }],
  ),
  volumeaccumulation: vector(
    'distances from the middle',
    accumulation,
    ['penny', { period: 1 }],
    ['daily', { period: 100 }],
  ),
  updownvolume: vector('volumes by side', upAndDown, ['penny', { period: 5 }], ['daily', { period: 100 }]),
  tradevolumeindex: vector(
    'a running sum',
    tradeIndex,
    ['penny', { minTick: 0 }],
    ['daily', { minTick: 1.5 }],
    ['penny', { minTick: 1, unit: 'percent' }],
  ),
  netvolume: vector('the steps of a balance', net, ['penny', {}], ['daily', {}]),
  vwapbands: vector(
    'weighted deviations since the anchor',
    weightedBands,
    ['penny', { stddev: 2, anchorPeriod: 'week' }],
    ['daily', { stddev: 0.5, anchorPeriod: 'month' }],
  ),
  bettervolume: vector(
    'the rules of the author',
    better,
    ['shapes', { period: 3, averagePeriod: 5 }],
    ['daily', { period: 40, averagePeriod: 60 }],
  ),
}
