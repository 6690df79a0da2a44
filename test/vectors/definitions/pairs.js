// Definitions of how two columns, or a column and itself some candles before, vary together.
import { mean, sum } from '../columns.js'
import { correlation } from './statistics.js'

/** `calculate` of the last `period` values of both columns. */
const ofBoth = (calculate, { high, low }, { period = 20, ...others }) => ({
  value: high.map((_, i) =>
    i < period - 1
      ? NaN
      : calculate(high.slice(i - period + 1, i + 1), low.slice(i - period + 1, i + 1), others),
  ),
})

const covarianceOf = (a, b, { estimator = 'population' }) => {
  const products = a.map((value, k) => (value - mean(a)) * (b[k] - mean(b)))
  return sum(products) / (estimator === 'sample' ? a.length - 1 : a.length)
}

/** Number of values below each value, plus half the number of values that equal it. */
const ranksOf = values =>
  values.map(value => sum(values.map(other => (other < value ? 1 : other === value ? 0.5 : 0))))

function kendallOf(a, b) {
  let agreement = 0
  const differing = [0, 0]
  for (let i = 1; i < a.length; i++) {
    for (let j = 0; j < i; j++) {
      const [x, y] = [Math.sign(a[i] - a[j]), Math.sign(b[i] - b[j])]
      agreement += x * y
      differing[0] += Math.abs(x)
      differing[1] += Math.abs(y)
    }
  }
  const divisor = Math.sqrt(differing[0] * differing[1])
  return divisor === 0 ? 0 : agreement / divisor
}

const autocorrelation = (values, lag) => {
  const centre = mean(values)
  const products = values.map((value, k) => (k < lag ? 0 : (value - centre) * (values[k - lag] - centre)))
  return values.every(value => value === values[0])
    ? NaN
    : sum(products) / sum(values.map(value => (value - centre) ** 2))
}

/** The last coefficient of the regression on `lag` values before: the equations of Yule and Walker, solved one by one. */
function partial(values, lag) {
  const r = Array.from({ length: lag + 1 }, (_, k) => autocorrelation(values, k))
  const rows = Array.from({ length: lag }, (_, i) => [
    ...Array.from({ length: lag }, (_, j) => r[Math.abs(i - j)]),
    r[i + 1],
  ])
  for (let k = 0; k < lag; k++) {
    for (let i = k + 1; i < lag; i++) {
      const share = rows[i][k] / rows[k][k]
      rows[i] = rows[i].map((value, j) => value - share * rows[k][j])
    }
  }
  return rows[lag - 1][lag] / rows[lag - 1][lag - 1]
}

const ofClose =
  calculate =>
  ({ close }, { period = 20, lag = 1 }) => ({
    value: close.map((_, i) => (i < period - 1 ? NaN : calculate(close.slice(i - period + 1, i + 1), lag))),
  })

const periods = [
  ['volatile', {}],
  ['shapes', {}],
  ['penny', { period: 3 }],
  ['volatile', { period: 350 }],
]
const lags = [
  ['volatile', {}],
  ['daily', { period: 3 }],
  ['penny', { period: 10, lag: 3 }],
  ['volatile', { period: 100, lag: 12 }],
  ['volatile', { period: 350, lag: 2 }],
]

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  covariance: {
    source: 'definition: the mean product of the distances from the means',
    compute: (candles, p) => ofBoth(covarianceOf, candles, p),
    cases: [...periods, ['daily', { period: 2, estimator: 'sample' }]],
  },
  spearman: {
    source: 'definition: the correlation of the ranks',
    compute: (candles, p) => ofBoth((a, b) => correlation(ranksOf(a), ranksOf(b)), candles, p),
    cases: periods,
  },
  kendall: {
    source: 'definition: pairs that differ the same way (tau-b)',
    compute: (candles, p) => ofBoth(kendallOf, candles, p),
    cases: periods,
  },
  acf: {
    source: 'definition: the biased estimate',
    compute: ofClose(autocorrelation),
    cases: lags,
  },
  pacf: {
    source: 'definition: the equations of Yule and Walker',
    compute: ofClose(partial),
    cases: lags,
  },
}
