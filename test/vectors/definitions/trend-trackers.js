// Definitions of averages that move with volume or momentum, and of the period of a cycle, as their formulas stand in the
// sources.
import { delayed, from, mean, sum, vector } from '../columns.js'
import { highPass2, superSmoother } from './filters.js'
import { follow, variable } from './trend-stops.js'

function tracker({ close }, params) {
  const {
    ottPeriod = 2,
    ottPercent = 0.6,
    fastPeriod = 10,
    slowPeriod = 25,
    correction = 100_000,
    unit = 'price',
  } = params
  const [v, slow, slowest] = [Math.floor(slowPeriod / 2), slowPeriod, slowPeriod * fastPeriod].map(n =>
    variable(close, n),
  )
  const added = i => (unit === 'percent' ? (correction / 100) * close[i] : correction)
  const s = v.map((value, i) => value / (slow[i] - slowest[i] + added(i))).slice(9)
  const line = variable(s, ottPeriod)
  const hott = follow(line, i => (line[i] * ottPercent) / 100).map(
    ({ stop }, i) => (stop * (line[i] > stop ? 200 + ottPercent : 200 - ottPercent)) / 200,
  )
  const shifted = column => from(20, [...Array(9).fill(NaN), ...column])
  return { hott: shifted(delayed(hott, 2)), lott: shifted(s) }
}

function adjusted({ close, volume }, params) {
  const { period = 13, factor = 0.67, samplePeriod = 0, strict = true } = params
  return {
    value: close.map((_, i) => {
      if (i < Math.max(period, samplePeriod) - 1) return NaN
      const a = mean(volume.slice(samplePeriod === 0 ? 0 : i - samplePeriod + 1, i + 1))
      const q = volume.map(v => v / (a * factor))
      let taken = 0
      let [total, weighted] = [0, 0]
      const isEnough = () => (strict ? total >= period || taken === 10 * period : taken === period)
      while (!isEnough() && taken <= i) {
        total += q[i - taken]
        weighted += q[i - taken] * close[i - taken]
        taken++
      }
      return taken > i ? NaN : (weighted + (period - total) * close[i - taken]) / period
    }),
  }
}

function periodogram({ close }, { minPeriod = 10, maxPeriod = 48, avgLength = 3 }) {
  const f = superSmoother(highPass2(close, maxPeriod), minPeriod)
  const periods = Array.from({ length: maxPeriod - minPeriod + 1 }, (_, k) => minPeriod + k)
  const lags = Array.from({ length: maxPeriod - 2 }, (_, k) => 3 + k)
  let powers = periods.map(() => 0)
  let [peak, last] = [0, NaN]
  const value = close.map((_, i) => {
    const correlations = lags.map(lag => {
      const m = avgLength === 0 ? lag : avgLength
      const window = shift => Array.from({ length: m }, (_, k) => f[i - shift - k] ?? 0)
      const [x, y] = [window(0), window(lag)].map(values => values.map(v => v - mean(values)))
      const size = sum(x.map(v => v ** 2)) * sum(y.map(v => v ** 2))
      return size > 0 ? sum(x.map((v, k) => v * y[k])) / Math.sqrt(size) : 0
    })
    const part = (wave, p) => sum(lags.map((lag, k) => correlations[k] * wave((2 * Math.PI * lag) / p)))
    powers = powers.map((power, k) => {
      const square = part(Math.cos, periods[k]) ** 2 + part(Math.sin, periods[k]) ** 2
      return 0.2 * square ** 2 + 0.8 * power
    })
    peak = Math.max(0.995 * peak, ...powers)
    const weights = powers.map(power => (power / peak >= 0.5 ? power / peak : 0))
    if (sum(weights) > 0) last = sum(weights.map((w, k) => w * periods[k])) / sum(weights)
    return last
  })
  return { value: from(maxPeriod + (avgLength === 0 ? maxPeriod : avgLength) - 1, value) }
}

export const vectors = {
  otto: vector(
    'the rules of the script',
    tracker,
    ['penny', { ottPeriod: 1, ottPercent: 0.1, fastPeriod: 2, slowPeriod: 3, correction: 0.001 }],
    ['daily', { ottPeriod: 30, ottPercent: 1.4, fastPeriod: 20, slowPeriod: 40, correction: 1000 }],
    ['volatile', { correction: 100_000, unit: 'percent' }],
  ),
  volumeadjustedma: vector(
    'candle by candle back',
    adjusted,
    ['penny', { period: 1, factor: 0.3, samplePeriod: 20 }],
    ['daily', { period: 50, factor: 1.5, samplePeriod: 100 }],
    ['shapes', { period: 8, strict: false }],
    ['volatile', { period: 99, factor: 5, samplePeriod: 5 }],
  ),
  autocorrelationperiodogram: vector(
    'correlations and their powers',
    periodogram,
    ['daily', { minPeriod: 8, maxPeriod: 30, avgLength: 0 }],
    ['penny', { minPeriod: 2, maxPeriod: 8, avgLength: 2 }],
    ['volatile', { minPeriod: 20, maxPeriod: 61, avgLength: 20 }],
  ),
}
