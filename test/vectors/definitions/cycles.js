// Definitions of cycles and of what is built of filters, as their formulas stand in the sources.
import { from, mean, middle, sum, unzip, windows } from '../columns.js'
import { root, superSmoother } from './filters.js'

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
      i <= 5 ? 0 : ((1 - s) / 2) * (x - close[i - 2]) + beta * (1 + s) * filter[i - 1] - s * filter[i - 2],
    )
    let known = 0
    for (let k = 0; k < order; k++) known += ((k + 1) / order) * (value[i - (order - k)] ?? 0)
    value.push(((3 + order) / 2) * filter[i] - known)
  })
  const first = Math.max(period - 1, 6)
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
    return mean(three) / sqrt(mean(three.map(x => x ** 2)))
  })
  return { value: from(hpPeriod - 1, value) }
}

function universal({ close }, { period = 20 }) {
  const w = close.map((x, i) => (i < 2 ? 0 : (x - close[i - 2]) / 2))
  let peak = 1e-7
  const value = superSmoother(w, period).map(f => {
    peak = Math.max(0.991 * peak, abs(f))
    return f / peak
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
    let angle = imag === 0 ? 0 : 90 + (atan(real / imag) * 180) / PI
    if (imag > 0) angle -= 180
    if (before !== undefined && angle < before && before - angle < 270) angle = before
    const state = before === undefined ? NaN : abs(angle - before) >= threshold ? 0 : angle >= 0 ? 1 : -1
    before = angle
    return { real, imag, angle, state }
  })
  return unzip(rows)
}

const vector = (source, compute, ...others) => ({
  source: `definition: ${source}`,
  compute,
  cases: [['volatile', {}], ...others],
})

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
  ),
  universaloscillator: vector(
    'the difference equation',
    universal,
    ['penny', { period: 2 }],
    ['daily', { period: 100 }],
  ),
  correlationcycle: vector(
    'correlations with a sine wave',
    correlation,
    ['penny', { period: 3, threshold: 60 }],
    ['daily', { period: 100, threshold: 2 }],
  ),
}
