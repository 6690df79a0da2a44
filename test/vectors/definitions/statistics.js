// Definitions of statistics of the values of a window, each window measured by itself.
import { mean, sum, unzip, windows } from '../columns.js'

/** The mean of a power of the distances from the mean. */
const moment = (values, power) => {
  const centre = mean(values)
  return mean(values.map(value => (value - centre) ** power))
}
export const isFlat = values => values.every(value => value === values[0])
/** The standard deviation, of a sample unless told otherwise. */
export const deviationOf = (values, estimator = 'sample') => {
  const n = values.length
  return Math.sqrt(moment(values, 2) * (estimator === 'sample' ? n / (n - 1) : 1))
}

const scoreOf = (values, estimator) =>
  isFlat(values) ? NaN : (values.at(-1) - mean(values)) / deviationOf(values, estimator)

function skewnessOf(values, estimator = 'sample') {
  const n = values.length
  const plain = isFlat(values) ? NaN : moment(values, 3) / moment(values, 2) ** 1.5
  return estimator === 'sample' ? (plain * Math.sqrt(n * (n - 1))) / (n - 2) : plain
}

function kurtosisOf(values, estimator = 'sample') {
  const n = values.length
  const plain = isFlat(values) ? NaN : moment(values, 4) / moment(values, 2) ** 2 - 3
  return estimator === 'sample' ? ((n - 1) / ((n - 2) * (n - 3))) * ((n + 1) * plain + 6) : plain
}

/** Pearson's correlation of two lists. */
export function correlation(a, b) {
  const [x, y] = [mean(a), mean(b)]
  const product = sum(a.map((value, k) => (value - x) * (b[k] - y)))
  return isFlat(a) || isFlat(b)
    ? 0
    : product / Math.sqrt(sum(a.map(value => (value - x) ** 2)) * sum(b.map(value => (value - y) ** 2)))
}
const trendOf = values =>
  correlation(
    values,
    values.map((_, k) => k),
  )

export function lineError(values) {
  const n = values.length
  const middle = (n - 1) / 2
  const slope =
    sum(values.map((value, k) => (k - middle) * value)) / sum(values.map((_, k) => (k - middle) ** 2))
  const residuals = values.map((value, k) => value - mean(values) - slope * (k - middle))
  return Math.sqrt(sum(residuals.map(r => r * r)) / (n - 2))
}

function entropyOf(values, base = 2) {
  const total = sum(values)
  if (total === 0 || values.some(value => value < 0)) return NaN
  const shares = values.map(value => value / total)
  return -sum(shares.map(p => (p === 0 ? 0 : p * Math.log(p)))) / Math.log(base)
}

/** Γ(k/2) for a whole k. */
const gammaOfHalf = k => (k === 1 ? Math.sqrt(Math.PI) : k === 2 ? 1 : (k / 2 - 1) * gammaOfHalf(k - 2))

function expectedRange(n) {
  const factor =
    n > 340 ? Math.sqrt(2 / (Math.PI * (n - 1))) : gammaOfHalf(n - 1) / (Math.sqrt(Math.PI) * gammaOfHalf(n))
  return factor * sum(Array.from({ length: n - 1 }, (_, k) => Math.sqrt((n - k - 1) / (k + 1))))
}

function rescaledRange(chunk) {
  const centre = mean(chunk)
  const running = chunk.map((_, k) => sum(chunk.slice(0, k + 1).map(r => r - centre)))
  return isFlat(chunk) ? NaN : (Math.max(...running) - Math.min(...running)) / Math.sqrt(moment(chunk, 2))
}

const slopeOf = (x, y) => {
  const [a, b] = [mean(x), mean(y)]
  return sum(x.map((value, k) => (value - a) * (y[k] - b))) / sum(x.map(value => (value - a) ** 2))
}

function hurst({ close }, { period = 100 }) {
  const returns = close.map((c, i) =>
    i > 0 && Math.min(c, close[i - 1]) > 0 ? Math.log(c / close[i - 1]) : NaN,
  )
  return unzip(
    returns.map((_, i) => {
      const window = i < period ? [] : returns.slice(i - period + 1, i + 1)
      const scales = [1, 2, 4, 8, 16, 32]
        .map(q => [q, Math.floor(period / q)])
        .filter(([, n]) => n >= 8)
        .map(([q, n]) => {
          const newest = window.slice(-q * n)
          const chunks = Array.from({ length: q }, (_, k) => newest.slice(k * n, (k + 1) * n))
          return { n, range: i < period ? NaN : mean(chunks.map(rescaledRange)) }
        })
      const lengths = scales.map(({ n }) => Math.log10(n))
      const plain = scales.map(({ range }) => Math.log10(range))
      const corrected = scales.map(({ n, range }) =>
        Math.log10(range + Math.sqrt((Math.PI * n) / 2) - expectedRange(n)),
      )
      return { value: slopeOf(lengths, plain), corrected: slopeOf(lengths, corrected) }
    }),
  )
}

const jarqueBera = values =>
  (values.length / 6) * (skewnessOf(values, 'population') ** 2 + kurtosisOf(values, 'population') ** 2 / 4)
const studentOf = (values, mu = 0) =>
  isFlat(values) ? NaN : (mean(values) - mu) / (deviationOf(values) / Math.sqrt(values.length))
const variationOf = (values, estimator = 'population') =>
  mean(values) === 0 ? NaN : deviationOf(values, estimator) / mean(values)
const arePositive = values => values.every(value => value > 0)
const geometric = values => (arePositive(values) ? Math.exp(mean(values.map(Math.log))) : NaN)
const harmonic = values => (arePositive(values) ? 1 / mean(values.map(value => 1 / value)) : NaN)

const ofClose = (source, standard, calculate, cases) => ({
  source,
  compute: ({ close }, { period = standard, ...others }) => ({
    value: windows(close, period, values => calculate(values, others)),
  }),
  cases,
})
const withEstimators = shortest => [
  ['volatile', {}],
  ['daily', { estimator: 'population' }],
  ['penny', { period: shortest }],
  ['volatile', { period: 350, estimator: 'population' }],
]
const periods = shortest => [
  ['volatile', {}],
  ['daily', {}],
  ['penny', { period: shortest }],
  ['volatile', { period: 350 }],
]

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  zscore: ofClose(
    'definition: the distance from the mean in deviations',
    30,
    (values, p) => scoreOf(values, p.estimator),
    withEstimators(3),
  ),
  candlez: {
    source: 'definition: the z-scores of the four prices',
    compute: ({ open, high, low, close }, { period = 30, estimator }) =>
      Object.fromEntries(
        Object.entries({ open, high, low, close }).map(([name, column]) => [
          name,
          windows(column, period, values => scoreOf(values, estimator)),
        ]),
      ),
    cases: withEstimators(3),
  },
  skewness: ofClose(
    'definition: the third moment, with the correction of pandas',
    30,
    (values, p) => skewnessOf(values, p.estimator),
    withEstimators(3),
  ),
  kurtosis: ofClose(
    'definition: the fourth moment less 3, with the correction of pandas',
    30,
    (values, p) => kurtosisOf(values, p.estimator),
    withEstimators(4),
  ),
  cti: ofClose('definition: the correlation with time', 12, trendOf, periods(3)),
  rsquared: ofClose(
    'definition: the squared correlation with time',
    14,
    values => trendOf(values) ** 2,
    periods(3),
  ),
  linregstderr: ofClose('definition: the residuals of the line of least squares', 14, lineError, periods(4)),
  entropy: ofClose(
    'definition: the entropy of the shares in the sum',
    10,
    (values, { base }) => entropyOf(values, base),
    [
      ['volatile', {}],
      ['penny', { period: 2, base: 10 }],
      ['daily', { period: 350, base: Math.E }],
    ],
  ),
  hurst: {
    source: 'definition: the slope of the rescaled range over lengths; Anis and Lloyd',
    compute: hurst,
    cases: [
      ['volatile', {}],
      ['penny', { period: 20 }],
      ['daily', { period: 67 }],
      ['volatile', { period: 360 }],
    ],
  },
  jarquebera: ofClose('definition: skewness and kurtosis together', 20, jarqueBera, periods(4)),
  ttest: ofClose('definition: the mean in standard errors', 30, (values, { mu }) => studentOf(values, mu), [
    ['volatile', {}],
    ['penny', { period: 3, mu: 0.0001 }],
    ['daily', { period: 350, mu: 80 }],
  ]),
  coefficientofvariation: ofClose(
    'definition: the deviation divided by the mean',
    20,
    (values, { estimator }) => variationOf(values, estimator),
    [
      ['volatile', {}],
      ['penny', { period: 3, estimator: 'sample' }],
      ['daily', { period: 350 }],
    ],
  ),
  geomean: ofClose('definition: by the mean of the logarithms', 14, geometric, periods(2)),
  harmean: ofClose('definition: by the mean of the reciprocals', 14, harmonic, periods(2)),
  cma: {
    source: 'definition: the mean of all values so far',
    compute: ({ close }) => ({ value: close.map((_, i) => mean(close.slice(0, i + 1))) }),
    cases: [
      ['volatile', {}],
      ['penny', {}],
      ['belowzero', {}],
    ],
  },
}
