// Definitions of weighted means, written in the plainest way, without regard to speed. A column is an array of numbers; a
// missing value is NaN.

const sum = values => values.reduce((total, value) => total + value, 0)

/** Applies `calculate` to the last `period` values of a column, oldest first; NaN if one of them is missing. */
const windows = (column, period, calculate) =>
  column.map((_, i) => {
    const window = i < period - 1 ? [NaN] : column.slice(i - period + 1, i + 1)
    return window.some(Number.isNaN) ? NaN : calculate(window)
  })

/** The mean of a window whose value at the place j (0 the oldest) weighs `weight(j)`. */
const weigh = (window, weight) =>
  sum(window.map((value, j) => value * weight(j))) / sum(window.map((_, j) => weight(j)))

/** A vector of a mean with weights; `weightOf(period, params)` is a function of the place in the window. */
const weighted = (source, standard, weightOf, others) => ({
  source,
  compute: ({ close }, { period = standard, ...params }) => ({
    value: windows(close, period, window => weigh(window, weightOf(period, params))),
  }),
  cases: [['volatile', {}], ...others],
})

const factorial = n => (n < 2 ? 1 : n * factorial(n - 1))
const fibonacci = n => (n < 2 ? 1 : fibonacci(n - 1) + fibonacci(n - 2))

/** Solves a system of linear equations by elimination. */
function solve(matrix, right) {
  const rows = matrix.map((row, i) => [...row, right[i]])
  for (let i = 0; i < rows.length; i++) {
    const best = rows
      .slice(i)
      .reduce((at, row, k) => (Math.abs(row[i]) > Math.abs(rows[at][i]) ? i + k : at), i)
    const pivot = rows[best]
    rows[best] = rows[i]
    rows[i] = pivot
    for (let k = 0; k < rows.length; k++) {
      if (k === i) continue
      const times = rows[k][i] / pivot[i]
      rows[k] = rows[k].map((value, j) => value - times * pivot[j])
    }
  }
  return rows.map((row, i) => row.at(-1) / row[i])
}

/** The polynomial of least squares through a window, in its middle. */
function polynomialAtMiddle(window, degree) {
  const half = (window.length - 1) / 2
  const place = j => (j - half) / half
  const powers = Array.from({ length: degree + 1 }, (_, d) => d)
  const matrix = powers.map(a => powers.map(b => sum(window.map((_, j) => place(j) ** (a + b)))))
  const right = powers.map(a => sum(window.map((value, j) => value * place(j) ** a)))
  return solve(matrix, right)[0]
}

const odd = period => (period % 2 === 1 ? period : period - 1)

function henderson({ close }, { period = 7 }) {
  const count = odd(period)
  const half = (count - 1) / 2
  const q = half + 2
  const weight = place => {
    const j = place - half
    return (
      ((q - 1) ** 2 - j ** 2) * (q ** 2 - j ** 2) * ((q + 1) ** 2 - j ** 2) * (3 * q ** 2 - 16 - 11 * j ** 2)
    )
  }
  return { value: windows(close, count, window => weigh(window, weight)) }
}

const linear = (column, period) => windows(column, period, window => weigh(window, j => j + 1))

/** End of the line of least squares through a window. */
function lineEnd(window) {
  const centre = (window.length - 1) / 2
  const level = sum(window) / window.length
  const slope =
    sum(window.map((value, k) => (k - centre) * (value - level))) /
    sum(window.map((_, k) => (k - centre) ** 2))
  return level + slope * centre
}

function predictive({ high, low }) {
  const prices = high.map((top, i) => (top + low[i]) / 2)
  const once = linear(prices, 7)
  const twice = linear(once, 7)
  const value = once.map((mean, i) => 2 * mean - twice[i])
  return { value, trigger: linear(value, 4) }
}

export const vectors = {
  alma: weighted(
    'definition: weights of a bell curve',
    9,
    (period, { offset = 0.85, sigma = 6 }) =>
      j =>
        Math.exp(-((j - offset * (period - 1)) ** 2) / (2 * (period / sigma) ** 2)),
    [
      ['penny', { period: 2, offset: 0, sigma: 1 }],
      ['daily', { period: 100, offset: 1, sigma: 12.5 }],
    ],
  ),
  fwma: weighted('definition: Fibonacci numbers as weights', 10, () => j => fibonacci(j), [
    ['penny', { period: 2 }],
    ['daily', { period: 20 }],
  ]),
  sinwma: weighted(
    'definition: half a sine wave as weights',
    14,
    period => j => Math.sin(((j + 1) * Math.PI) / (period + 1)),
    [
      ['penny', { period: 2 }],
      ['daily', { period: 200 }],
    ],
  ),
  pwma: weighted(
    'definition: binomial coefficients as weights',
    10,
    period => j => factorial(period - 1) / factorial(j) / factorial(period - 1 - j),
    [
      ['penny', { period: 2 }],
      ['daily', { period: 60 }],
    ],
  ),
  cwma: weighted('definition: cubes as weights', 14, () => j => (j + 1) ** 3, [
    ['penny', { period: 2 }],
    ['daily', { period: 200 }],
  ]),
  sqwma: weighted('definition: squares as weights', 14, () => j => (j + 1) ** 2, [
    ['penny', { period: 2 }],
    ['daily', { period: 200 }],
  ]),
  srwma: weighted('definition: square roots as weights', 14, () => j => Math.sqrt(j + 1), [
    ['penny', { period: 2 }],
    ['daily', { period: 200 }],
  ]),
  vpwma: weighted(
    'definition: powers as weights',
    14,
    (_, { power = 0.382 }) =>
      j =>
        (j + 1) ** power,
    [
      ['penny', { period: 2, power: 10 }],
      ['daily', { period: 200, power: 0 }],
    ],
  ),
  hannma: weighted(
    'definition: a Hann window as weights',
    14,
    period => j => 1 - Math.cos((2 * Math.PI * (j + 1)) / (period + 1)),
    [
      ['penny', { period: 2 }],
      ['daily', { period: 200 }],
    ],
  ),
  henderson: {
    source: 'definition: Henderson’s weights',
    compute: henderson,
    cases: [
      ['volatile', {}],
      ['penny', { period: 6 }],
      ['daily', { period: 151 }],
    ],
  },
  savitzkygolay: {
    source: 'definition: a polynomial fitted to each window by the normal equations',
    compute: ({ close }, { period = 21, polyOrder = 2 }) => ({
      value: windows(close, odd(period), window => polynomialAtMiddle(window, polyOrder)),
    }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 8, polyOrder: 6 }],
      ['daily', { period: 101, polyOrder: 5 }],
      ['daily', { period: 9, polyOrder: 0 }],
    ],
  },
  jsa: {
    source: 'definition: the mean of two values',
    compute: ({ close }, { period = 30 }) => ({
      value: close.map((price, i) => (i < period ? NaN : (price + close[i - period]) / 2)),
    }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 1 }],
      ['daily', { period: 250 }],
    ],
  },
  dwma: {
    source: 'definition: the weighted mean twice',
    compute: ({ close }, { period = 10 }) => ({ value: linear(linear(close, period), period) }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 130 }],
    ],
  },
  zlsma: {
    source: 'definition: ends of lines of least squares',
    compute({ close }, { period = 32 }) {
      const ends = windows(close, period, lineEnd)
      const again = windows(ends, period, lineEnd)
      return { value: ends.map((end, i) => 2 * end - again[i]) }
    },
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 130 }],
    ],
  },
  pma: {
    source: 'definition: weighted means of seven and four candles',
    compute: predictive,
    cases: [
      ['volatile', {}],
      ['penny', {}],
      ['daily', {}],
    ],
  },
}
