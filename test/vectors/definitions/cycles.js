// Definitions of cycles and of indicators that are built from filters. The formulas are those of the sources.
import { exponential, from, mean, middle, ratio, sum, unzip, vector, windows } from '../columns.js'
import { bandPass, root, superSmoother } from './filters.js'

const { abs, atan, cos, PI, sin, sqrt } = Math

const gravity = ({ close }, { period = 10 }) => ({
  value: windows(close, period, window => -sum(window.map((x, j) => (period - j) * x)) / sum(window)),
})

function trendline(candles, { alpha = 0.07 }) {
  const p = middle(candles)
  const at = i => p[Math.max(0, i)]
  const y = []
  const before = i => (i < 0 ? p[0] : y[i])
  p.forEach((_, i) => {
    y.push(
      i < 6
        ? (at(i) + 2 * at(i - 1) + at(i - 2)) / 4
        : (alpha - alpha ** 2 / 4) * at(i) +
            (alpha ** 2 / 2) * at(i - 1) -
            (alpha - (3 * alpha ** 2) / 4) * at(i - 2) +
            2 * (1 - alpha) * y[i - 1] -
            (1 - alpha) ** 2 * y[i - 2],
    )
  })
  return {
    value: from(6, y),
    trigger: from(
      6,
      y.map((value, i) => 2 * value - before(i - 2)),
    ),
  }
}

function cyber(candles, { alpha = 0.07 }) {
  const p = middle(candles)
  const at = i => p[Math.max(0, i)]
  const s = p.map((_, i) => (at(i) + 2 * at(i - 1) + 2 * at(i - 2) + at(i - 3)) / 6)
  const y = []
  p.forEach((_, i) => {
    y.push(
      i < 6
        ? (at(i) - 2 * at(i - 1) + at(i - 2)) / 4
        : (1 - alpha / 2) ** 2 * (s[i] - 2 * s[i - 1] + s[i - 2]) +
            2 * (1 - alpha) * y[i - 1] -
            (1 - alpha) ** 2 * y[i - 2],
    )
  })
  return { value: from(6, y), trigger: from(6, [NaN, ...y.slice(0, -1)]) }
}

function predictor({ close }, { period = 20, predict = 3, bandwidth = 0.25 }) {
  const order = 3 * predict
  const beta = cos((2 * PI) / period)
  const gamma = cos((2 * PI * bandwidth) / period)
  const s = 1 / gamma - sqrt(1 / gamma ** 2 - 1)
  const filter = []
  const value = []
  close.forEach((x, i) => {
    filter.push(
      i < 5 ? 0 : ((1 - s) / 2) * (x - close[i - 2]) + beta * (1 + s) * filter[i - 1] - s * filter[i - 2],
    )
    let known = 0
    for (let k = 0; k < order; k++) known += ((k + 1) / order) * (value[i - (order - k)] ?? 0)
    value.push(((3 + order) / 2) * filter[i] - known)
  })
  const first = Math.max(period - 1, 5)
  return { value: from(first, value), filter: from(first, filter) }
}

function evenBetter({ close }, { hpPeriod = 40, ssfPeriod = 10 }) {
  const theta = (2 * PI) / hpPeriod
  const alpha = (1 - sin(theta)) / cos(theta)
  const h = []
  for (const [i, x] of close.entries())
    h.push(i === 0 ? 0 : ((1 + alpha) / 2) * (x - close[i - 1]) + alpha * h[i - 1])
  const a = Math.exp((-root * PI) / ssfPeriod)
  const b = 2 * a * cos((root * PI) / ssfPeriod)
  const f = []
  for (const [i, x] of h.entries())
    f.push(((1 - b + a ** 2) * (x + (h[i - 1] ?? 0))) / 2 + b * (f[i - 1] ?? 0) - a ** 2 * (f[i - 2] ?? 0))
  const value = f.map((v, i) => {
    const three = [v, f[i - 1] ?? 0, f[i - 2] ?? 0]
    return ratio(mean(three), sqrt(mean(three.map(x => x ** 2))), 0)
  })
  return { value: from(hpPeriod - 1, value) }
}

function universal({ close }, { period = 20 }) {
  const w = close.map((x, i) => (i < 2 ? 0 : (x - close[i - 2]) / 2))
  let peak = 0
  const value = superSmoother(w, period).map(f => {
    peak = Math.max(0.991 * peak, abs(f))
    return peak === 0 ? 0 : f / peak
  })
  return { value: from(period - 1, value) }
}

function pearson(a, b) {
  const [ma, mb] = [mean(a), mean(b)]
  const da = a.map(value => value - ma)
  const db = b.map(value => value - mb)
  const square = sum(da.map(d => d ** 2)) * sum(db.map(d => d ** 2))
  return square === 0 ? 0 : sum(da.map((d, k) => d * db[k])) / sqrt(square)
}

function correlation({ close }, { period = 20, threshold = 9 }) {
  const phases = Array.from({ length: period }, (_, k) => (2 * PI * k) / period)
  let before
  const rows = close.map((_, i) => {
    if (i < period - 1) return { real: NaN, imag: NaN, angle: NaN, state: NaN }
    const newestFirst = phases.map((_, k) => close[i - k])
    const real = pearson(newestFirst, phases.map(cos))
    const imag = pearson(
      newestFirst,
      phases.map(phase => -sin(phase)),
    )
    // A value of at most 1e-12 of the values it is compared with is a rounding error.
    let angle = abs(imag) <= 1e-12 ? (before ?? 0) : 90 + (atan(real / imag) * 180) / PI
    if (imag > 1e-12) angle -= 180
    if (before !== undefined && angle < before && before - angle < 270) angle = before
    const turns = abs(angle - before) >= threshold - 180e-12
    const state = before === undefined ? NaN : turns ? 0 : angle >= 0 ? 1 : -1
    before = angle
    return { real, imag, angle, state }
  })
  return unzip(rows)
}

/** Real and imaginary part of the wave of one window, newest value first; the phase by their arctangent. */
function mesa({ close }, { period = 25 }) {
  const phases = windows(close, period, window => {
    if (window.every(x => x === window[0])) return Infinity
    const newestFirst = window.toReversed()
    const real = sum(newestFirst.map((x, j) => x * cos((2 * PI * j) / period)))
    const imaginary = sum(newestFirst.map((x, j) => x * sin((2 * PI * j) / period)))
    const phase = real === 0 ? (Math.sign(imaginary) * PI) / 2 : atan(imaginary / real)
    return phase + (real < 0 ? PI : 0) + PI / 2
  })
  const wave = shift => phases.map(phase => (phase === Infinity ? 0 : sin(phase + shift)))
  return { msw_sine: from(period, wave(0)), msw_lead: from(period, wave(PI / 4)) }
}

function stages(p, gammaOf) {
  let l = new Array(4).fill(p[0])
  return p.map((price, i) => {
    const g = gammaOf(i)
    const b = l
    l = [(1 - g) * price + g * b[0]]
    for (let k = 1; k < 4; k++) l.push(-g * l[k - 1] + b[k - 1] + g * b[k])
    return (l[0] + 2 * l[1] + 2 * l[2] + l[3]) / 6
  })
}

const laguerre = (candles, { gamma = 0.8 }) => ({
  value: from(
    3,
    stages(middle(candles), () => gamma),
  ),
})

function adaptive(candles, { period = 20, medianPeriod = 5 }) {
  const p = middle(candles)
  const [diffs, coefs] = [[0], [0]]
  let l = new Array(4).fill(p[0])
  let g = 1
  const value = [p[0]]
  for (let i = 1; i < p.length; i++) {
    diffs.push(abs(p[i] - value[i - 1]))
    const window = diffs.slice(Math.max(0, i - period + 1))
    const [top, bottom] = [Math.max(...window), Math.min(...window)]
    coefs.push(top === bottom ? coefs.at(-1) : (diffs[i] - bottom) / (top - bottom))
    const sorted = coefs.slice(Math.max(0, i - medianPeriod + 1)).sort((a, b) => a - b)
    const half = Math.floor(sorted.length / 2)
    const alpha = sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    if (top > bottom) g = 1 - alpha
    const b = l
    l = [(1 - g) * p[i] + g * b[0]]
    for (let k = 1; k < 4; k++) l.push(-g * l[k - 1] + b[k - 1] + g * b[k])
    value.push((l[0] + 2 * l[1] + 2 * l[2] + l[3]) / 6)
  }
  return { value: from(period - 1, value) }
}

function swissArmyKnife({ close }, { type = 'gauss', period = 20, delta = 0.1 }) {
  const t = (2 * PI) / period
  const beta = 2.415 * (1 - cos(t))
  const a = -beta + sqrt(beta ** 2 + 2 * beta)
  const h = (cos(t) + sin(t) - 1) / cos(t)
  const gamma = 1 / cos(2 * t * delta)
  const g = gamma - sqrt(gamma ** 2 - 1)
  const [c0, b, a1, a2] = {
    gauss: [a ** 2, [1, 0, 0], 2 * (1 - a), -((1 - a) ** 2)],
    butter: [a ** 2 / 4, [1, 2, 1], 2 * (1 - a), -((1 - a) ** 2)],
    hp: [1 - h / 2, [1, -1, 0], 1 - h, 0],
    '2php': [(1 - a / 2) ** 2, [1, -2, 1], 2 * (1 - a), -((1 - a) ** 2)],
    bp: [(1 - g) / 2, [1, 0, -1], cos(t) * (1 + g), -g],
  }[type]
  const first = type === 'gauss' || type === 'butter' ? close[0] : 0
  const y = [first, first]
  for (let i = 2; i < close.length; i++)
    y.push(c0 * (b[0] * close[i] + b[1] * close[i - 1] + b[2] * close[i - 2]) + a1 * y[i - 1] + a2 * y[i - 2])
  return { value: from(period - 1, y) }
}

function modes(candles, { period = 20, delta = 0.5, fraction = 0.1 }) {
  const bp = bandPass(middle(candles), period, 2 * delta)
  const held = isExtreme => {
    let value = 0
    return bp.map((_, i) => {
      if (i > 1 && isExtreme(bp[i - 1], bp[i], bp[i - 2])) value = bp[i - 1]
      return value
    })
  }
  const first = Math.max(2 * period, 50) - 1
  const share = column => from(first, windows(column, 50, mean)).map(value => fraction * value)
  return {
    upper: share(held((b, now, before) => b > now && b > before)),
    middle: from(first, windows(bp, 2 * period, mean)),
    lower: share(held((b, now, before) => b < now && b < before)),
  }
}

function synthetic(candles, { period = 40 }) {
  const p = middle(candles)
  const slow = exponential(p, Math.max(3, Math.round(period / 2)))
  return { value: exponential(p, Math.max(2, Math.round(period / 4))).map((fast, i) => fast - slow[i]) }
}

function moon({ timestamp }) {
  const value = timestamp.map(t => {
    const months = (t * 1000 - 947182440000) / 86400000 / 29.530588853
    return months - Math.floor(months)
  })
  return { value, illumination: value.map(phase => (1 - cos(2 * PI * phase)) / 2) }
}

export const vectors = {
  cog: vector('weighted places', gravity, ['penny', { period: 2 }], ['daily', { period: 100 }]),
  itrend: vector(
    'the difference equation',
    trendline,
    ['penny', { alpha: 0.99 }],
    ['daily', { alpha: 0.02 }],
  ),
  cybercycle: vector(
    'the difference equation',
    cyber,
    ['penny', { alpha: 0.99 }],
    ['daily', { alpha: 0.02 }],
  ),
  voss: vector(
    'the difference equations',
    predictor,
    ['penny', { period: 5, predict: 1, bandwidth: 0.7 }],
    ['daily', { period: 100, predict: 5, bandwidth: 0.1 }],
  ),
  ebsw: vector(
    'the difference equations',
    evenBetter,
    ['penny', { hpPeriod: 5, ssfPeriod: 2 }],
    ['daily', { hpPeriod: 100, ssfPeriod: 50 }],
    ['still', {}],
  ),
  universaloscillator: vector(
    'the difference equation',
    universal,
    ['penny', { period: 2 }],
    ['daily', { period: 100 }],
    ['still', {}],
  ),
  correlationcycle: vector(
    'correlations with a sine wave',
    correlation,
    ['penny', { period: 3, threshold: 60 }],
    ['daily', { period: 100, threshold: 2 }],
    ['still', {}],
  ),
  msw: vector(
    'a discrete Fourier transform at one frequency',
    mesa,
    ['penny', { period: 4 }],
    ['daily', { period: 250 }],
    ['still', {}],
  ),
  laguerrefilter: vector('four stages', laguerre, ['penny', { gamma: 0.1 }], ['daily', { gamma: 0.95 }]),
  adaptivelaguerre: vector(
    'four stages whose factor follows the errors',
    adaptive,
    ['penny', { period: 2, medianPeriod: 1 }],
    ['daily', { period: 100, medianPeriod: 20 }],
    ['still', {}],
  ),
  swissarmyknife: vector(
    'the equation of the article',
    swissArmyKnife,
    ['penny', { type: 'butter', period: 5 }],
    ['daily', { type: 'hp', period: 40 }],
    ['daily', { type: '2php', period: 60 }],
    ['volatile', { type: 'bp', period: 30, delta: 0.2 }],
  ),
  emd: vector(
    'a band-pass filter and its extremes',
    modes,
    ['penny', { period: 5, delta: 0.6, fraction: 1 }],
    ['daily', { period: 60, delta: 0.1, fraction: 0.5 }],
  ),
  detrendedsyntheticprice: vector(
    'two averages',
    synthetic,
    ['penny', { period: 4 }],
    ['daily', { period: 150 }],
  ),
  moonphase: vector('a mean month', moon, ['penny', {}], ['daily', {}]),
}
