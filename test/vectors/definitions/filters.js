// Definitions of recursive filters, written as the difference equations of their sources: y(i, k) is the value k candles before
// candle i. A column is an array of numbers; a missing value is NaN.

/**
 * Filters a column. `equation(x, y)` computes a value; `x(k)` and `y(k)` are the input and the output `k` candles ago.
 * The first `seeds` values are `start(value)`.
 */
function filtered(column, seeds, start, equation) {
  const out = []
  column.forEach((value, i) => {
    out.push(
      i < seeds
        ? start(value)
        : equation(
            k => column[i - k] ?? 0,
            k => out[i - k] ?? 0,
          ),
    )
  })
  return out
}
const asInput = value => value
const asZero = () => 0

const { exp, cos, sin, sqrt, PI } = Math

// biome-ignore lint/suspicious/noApproximativeNumericConstant: the root of two as the publications round it
export const root = 1.414
// biome-ignore lint/suspicious/noApproximativeNumericConstant: the root of a half, likewise
const half = 0.707

export function superSmoother(column, n) {
  const a = exp((-root * PI) / n)
  const b = 2 * a * cos((root * PI) / n)
  const k = 1 - b + a ** 2
  return filtered(column, 2, asInput, (x, y) => (k * (x(0) + x(1))) / 2 + b * y(1) - a ** 2 * y(2))
}

const threePoles = n => {
  const a = exp(-PI / n)
  return { b: 2 * a * cos((1.738 * PI) / n), d: a ** 2 }
}

function superSmoother3(column, n) {
  const { b, d } = threePoles(n)
  const gain = 1 - (b + d) + (d + b * d) - d ** 2
  return filtered(
    column,
    3,
    asInput,
    (x, y) => gain * x(0) + (b + d) * y(1) - (d + b * d) * y(2) + d ** 2 * y(3),
  )
}

function ultimateSmoother(column, n) {
  const a = exp((-root * PI) / n)
  const c2 = 2 * a * cos((root * PI) / n)
  const c3 = -(a ** 2)
  const c1 = (1 + c2 - c3) / 4
  return filtered(
    column,
    3,
    asInput,
    (x, y) => (1 - c1) * x(0) + (2 * c1 - c2) * x(1) - (c1 + c3) * x(2) + c2 * y(1) + c3 * y(2),
  )
}

function butterworth2(column, n) {
  const a = exp((-root * PI) / n)
  const b = 2 * a * cos((root * PI) / n)
  return filtered(
    column,
    2,
    asInput,
    (x, y) => ((1 - b + a ** 2) / 4) * (x(0) + 2 * x(1) + x(2)) + b * y(1) - a ** 2 * y(2),
  )
}

function butterworth3(column, n) {
  const { b, d } = threePoles(n)
  return filtered(
    column,
    3,
    asInput,
    (x, y) =>
      (((1 - b + d) * (1 - d)) / 8) * (x(0) + 3 * x(1) + 3 * x(2) + x(3)) +
      (b + d) * y(1) -
      (d + b * d) * y(2) +
      d ** 2 * y(3),
  )
}

const alphaOf = angle => (cos(angle) + sin(angle) - 1) / cos(angle)

export function highPass(column, n) {
  const alpha = alphaOf((2 * PI) / n)
  return filtered(column, 1, asZero, (x, y) => (1 - alpha / 2) * (x(0) - x(1)) + (1 - alpha) * y(1))
}

export function highPass2(column, n, k = half) {
  const alpha = alphaOf((2 * PI * k) / n)
  return filtered(
    column,
    2,
    asZero,
    (x, y) =>
      (1 - alpha / 2) ** 2 * (x(0) - 2 * x(1) + x(2)) + 2 * (1 - alpha) * y(1) - (1 - alpha) ** 2 * y(2),
  )
}

/** The part of a column around cycles of n candles; `width` is the share of the angle of the cycle. */
export function bandPass(column, n, width) {
  const beta = cos((2 * PI) / n)
  const gamma = 1 / cos((2 * PI * width) / n)
  const alpha = gamma - sqrt(gamma ** 2 - 1)
  return filtered(
    column,
    2,
    asZero,
    (x, y) => ((1 - alpha) / 2) * (x(0) - x(2)) + beta * (1 + alpha) * y(1) - alpha * y(2),
  )
}

/** The high-pass filter around the band-pass filter, whose gain is above 1. */
function detrended(column, n) {
  const alpha = alphaOf((2 * PI) / n)
  return filtered(column, 1, asZero, (x, y) => (1 + alpha / 2) * (x(0) - x(1)) + (1 - alpha) * y(1))
}

function bandPassed({ close }, { period = 20, bandwidth = 0.3 }) {
  const value = bandPass(detrended(close, (4 * period) / bandwidth), period, bandwidth)
  let peak = 0
  const normalized = value.map(v => {
    peak = Math.max(0.991 * peak, Math.abs(v))
    return peak === 0 ? 0 : v / peak
  })
  const trigger = detrended(normalized, period / bandwidth / 1.5)
  const signal = normalized.map((v, i) => Math.sign(trigger[i] - v))
  return { value, normalized, signal, trigger }
}

function gaussian(column, n, poles) {
  const beta = (1 - cos((2 * PI) / n)) / (2 ** (1 / poles) - 1)
  const alpha = -beta + sqrt(beta ** 2 + 2 * beta)
  let out = column
  for (let pole = 0; pole < poles; pole++)
    out = filtered(out, 1, asInput, (x, y) => alpha * x(0) + (1 - alpha) * y(1))
  return out
}

const decycled = (column, n) => highPass2(column, n).map((value, i) => column[i] - value)

/** Reflex, or trendflex if `isTilted` is false. */
function flex(column, n, isTilted) {
  const f = superSmoother(column, n / 2)
  let square = 0
  return f.map((newest, i) => {
    if (i < n) return NaN
    const slope = isTilted ? (f[i - n] - newest) / n : 0
    let total = 0
    for (let k = 1; k <= n; k++) total += newest + k * slope - f[i - k]
    const distance = total / n
    square = 0.04 * distance ** 2 + 0.96 * square
    return square === 0 ? 0 : distance / sqrt(square)
  })
}

/** Hides the values before candle `first`. */
const from = (first, column) => column.map((value, i) => (i < first ? NaN : value))

/** A vector of a filter of the close whose only parameter is `name`. */
const single = (name, standard, least, calculate, shift = 1) => ({
  source: 'definition: the difference equation of the filter',
  compute({ close }, params) {
    const period = params[name] ?? standard
    return { value: from(period - shift, calculate(close, period)) }
  },
  cases: [
    ['volatile', {}],
    ['penny', { [name]: least }],
    ['daily', { [name]: 250 }],
  ],
})

export const vectors = {
  supersmoother: single('period', 10, 2, superSmoother),
  supersmoother3: single('period', 14, 2, superSmoother3),
  ultimatesmoother: single('period', 20, 2, ultimateSmoother),
  butterworth2: single('period', 15, 2, butterworth2),
  butterworth3: single('period', 15, 2, butterworth3),
  highpass: single('period', 48, 5, highPass),
  decycler: single('hpPeriod', 125, 2, decycled),
  reflex: single('period', 20, 3, (column, n) => flex(column, n, true), 0),
  trendflex: single('period', 20, 3, (column, n) => flex(column, n, false), 0),
  highpass2: {
    source: 'definition: the difference equation of the filter',
    compute: ({ close }, { period = 48, k = half }) => ({
      value: from(period - 1, highPass2(close, period, k)),
    }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 5, k: 1 }],
      ['daily', { period: 250, k: 0.3 }],
    ],
  },
  gaussianfilter: {
    source: 'definition: exponential averages in a row',
    compute: ({ close }, { period = 14, poles = 4 }) => ({
      value: from(period - 1, gaussian(close, period, poles)),
    }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2, poles: 1 }],
      ['daily', { period: 250, poles: 2 }],
      ['daily', { period: 30, poles: 3 }],
    ],
  },
  bandpass: {
    source: 'definition: the difference equations of three filters',
    compute(candles, params) {
      const outputs = Object.entries(bandPassed(candles, params))
      return Object.fromEntries(
        outputs.map(([name, column]) => [name, from((params.period ?? 20) - 1, column)]),
      )
    },
    cases: [
      ['volatile', {}],
      ['penny', { period: 5, bandwidth: 0.7 }],
      ['daily', { period: 100, bandwidth: 0.1 }],
      ['still', {}],
    ],
  },
  decycleroscillator: {
    source: 'definition: the difference equations of two filters',
    compute: ({ close }, { hpPeriod = 125, k = 1 }) => ({
      value: from(
        hpPeriod - 1,
        highPass2(decycled(close, hpPeriod), hpPeriod / 2).map((value, i) => (100 * k * value) / close[i]),
      ),
    }),
    cases: [
      ['volatile', {}],
      ['penny', { hpPeriod: 10, k: 3 }],
      ['daily', { hpPeriod: 250, k: 0.5 }],
    ],
  },
  roofing: {
    source: 'definition: the difference equations of two filters',
    compute: ({ close }, { hpPeriod = 48, lpPeriod = 10 }) => ({
      value: from(hpPeriod - 1, superSmoother(highPass2(close, hpPeriod), lpPeriod)),
    }),
    cases: [
      ['volatile', {}],
      ['penny', { hpPeriod: 5, lpPeriod: 2 }],
      ['daily', { hpPeriod: 200, lpPeriod: 100 }],
    ],
  },
}
