// Definitions of regressions and tests of how values follow from earlier ones, as their formulas stand in the sources.
import { mean, sum, vector, windows } from '../columns.js'
import { fallsOf } from './returns.js'
import { deviationOf, isFlat } from './statistics.js'

const ofClose =
  (calculate, period, length = n => n) =>
  ({ close }, params) => ({
    value: windows(close, length(params.period ?? period), window => calculate(window, params)),
  })

function calmar(window, { period = 252, periodsPerYear = 252 }) {
  const fall = Math.max(...fallsOf(window))
  const growth = (window[period] / window[0]) ** (periodsPerYear / period)
  return fall > 0 && window.every(value => value > 0) ? (growth - 1) / fall : NaN
}

/** Orthogonal columns with the same span, by Gram and Schmidt, run twice. NaN if nothing of a column is left. */
function orthogonal(columns) {
  const found = []
  for (const column of columns) {
    let rest = column
    for (const other of [...found, ...found]) {
      const share = dot(rest, other) / dot(other, other)
      rest = rest.map((value, k) => value - share * other[k])
    }
    found.push(dot(rest, rest) > 1e-18 * dot(column, column) ? rest : rest.map(() => NaN))
  }
  return found
}
function dot(a, b) {
  let total = 0
  for (let k = 0; k < a.length; k++) total += a[k] * b[k]
  return total
}

/** Part of `y` that the columns leave unexplained. */
function residuals(y, columns) {
  let rest = y
  for (const column of orthogonal(columns)) {
    const share = dot(rest, column) / dot(column, column)
    rest = rest.map((value, k) => value - share * column[k])
  }
  return rest
}

function polynomial(window, { degree = 2 }) {
  const n = window.length
  const powers = Array.from({ length: Math.min(degree, n - 1) + 1 }, (_, d) =>
    window.map((_, k) => ((2 * k) / (n - 1) - 1) ** d),
  )
  return window.at(-1) - residuals(window, powers).at(-1)
}

function dickeyFuller(window, { lags = 1, regression = 'constant' }) {
  if (isFlat(window)) return NaN
  const change = window.map((value, k) => value - window[k - 1])
  const at = column => shift => column.slice(lags + 1 - shift, column.length - shift)
  const y = at(change)(0)
  const others = Array.from({ length: lags }, (_, k) => at(change)(k + 1))
  if (regression !== 'none') others.push(y.map(() => 1))
  if (regression === 'trend') others.push(y.map((_, k) => k))
  const level = residuals(at(window)(1), others)
  const explained = residuals(y, others)
  const coefficient = dot(explained, level) / dot(level, level)
  const rest = explained.map((value, k) => value - coefficient * level[k])
  const freedom = y.length - others.length - 1
  return coefficient / Math.sqrt(dot(rest, rest) / freedom / dot(level, level))
}

function causality({ close, volume }, { period = 50, lag = 1 }) {
  return {
    value: close.map((_, i) => {
      if (i < period - 1 + lag) return NaN
      const at = (column, shift) => column.slice(i - period + 1 - shift, i + 1 - shift)
      const lags = column => Array.from({ length: lag }, (_, k) => at(column, k + 1))
      const own = [at(close, 0).map(() => 1), ...lags(close)]
      const [a, b] = [own, [...own, ...lags(volume)]].map(columns => residuals(at(close, 0), columns))
      const rest = dot(b, b)
      return (dot(a, a) - rest) / lag / (rest / (period - 2 * lag - 1))
    }),
  }
}

function ratioOfVariances(window, { lag: q = 2 }) {
  const n = window.length - 1
  const x = window.map(Math.log)
  const mu = (x[n] - x[0]) / n
  const squares = distance => sum(x.slice(distance).map((value, j) => (value - x[j] - distance * mu) ** 2))
  return squares(q) / (q * (n - q + 1) * (1 - q / n)) / (squares(1) / (n - 1))
}

function entropyOf(window, { length = 2, tolerance = 0.2 }) {
  const r = tolerance * deviationOf(window, 'population')
  const count = size => {
    let pairs = 0
    for (let j = 0; j < window.length - length; j++)
      for (let i = 0; i < j; i++) {
        let alike = 0
        while (alike < size && Math.abs(window[i + alike] - window[j + alike]) <= r) alike++
        if (alike === size) pairs++
      }
    return pairs
  }
  const [b, a] = [count(length), count(length + 1)]
  return a === 0 || isFlat(window) ? NaN : -Math.log(a / b)
}

function dependence({ high, low }, { period = 20 }) {
  const centred = values => {
    const d = values.map(a => values.map(b => Math.abs(a - b)))
    const rows = d.map(mean)
    const all = mean(rows)
    return d.flatMap((row, i) => row.map((value, j) => value - rows[i] - rows[j] + all))
  }
  return {
    value: high.map((_, i) => {
      if (i < period - 1) return NaN
      const [x, y] = [high, low].map(column => column.slice(i - period + 1, i + 1))
      const [a, b] = [centred(x), centred(y)]
      return isFlat(x) || isFlat(y) ? 0 : Math.sqrt(dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)))
    }),
  }
}

export const vectors = {
  calmarratio: vector(
    'the growth by the largest fall',
    ofClose(calmar, 252, n => n + 1),
    ['penny', { period: 5, periodsPerYear: 365 }],
    ['daily', { period: 100, periodsPerYear: 52 }],
  ),
  polyfit: vector(
    'least squares, column by column',
    ofClose(polynomial, 20),
    ['penny', { period: 2, degree: 1 }],
    ['daily', { period: 9, degree: 6 }],
    ['shapes', { period: 6, degree: 6 }],
    ['volatile', { period: 350, degree: 4 }],
  ),
  adf: vector(
    'least squares, column by column',
    ofClose(dickeyFuller, 50),
    ['penny', { period: 20, lags: 0, regression: 'none' }],
    ['daily', { period: 100, lags: 7, regression: 'trend' }],
    ['shapes', { period: 30, lags: 3 }],
    ['volatile', { period: 25, lags: 5, regression: 'none' }],
    ['volatile', { period: 350, lags: 2, regression: 'trend' }],
  ),
  granger: vector(
    'least squares, column by column',
    causality,
    ['penny', { period: 20, lag: 5 }],
    ['daily', { period: 100, lag: 3 }],
    ['shapes', { period: 350, lag: 2 }],
  ),
  varianceratio: vector(
    'the estimates without bias',
    ofClose(ratioOfVariances, 64, n => n + 1),
    ['penny', { period: 17, lag: 16 }],
    ['daily', { period: 300, lag: 5 }],
  ),
  sampleentropy: vector(
    'pairs, counted',
    ofClose(entropyOf, 50),
    ['penny', { period: 13, length: 1, tolerance: 0.5 }],
    ['daily', { period: 66, length: 3, tolerance: 0.7 }],
    ['volatile', { period: 200, length: 2, tolerance: 0.15 }],
    ['shapes', { period: 130, length: 1, tolerance: 0.1 }],
  ),
  distancecorrelation: vector(
    'distances, centred',
    dependence,
    ['penny', { period: 2 }],
    ['shapes', { period: 7 }],
    ['daily', { period: 120 }],
    ['still', {}],
  ),
}
