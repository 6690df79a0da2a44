// Definitions of the patterns of two lines: triangles, wedges, rectangles, channels, flags and pennants. They are written in
// the plainest way, without regard to speed. A column is an array of numbers; a missing value is null.

/**
 * Direction of the upper and the lower line, change of the width, the breakouts that count, and the direction of the
 * pole. `least` names the parameters with the smallest rise or fall of a line.
 */
const rows = {
  triangleascending: { upper: 'flat', lower: 'rises', width: 'narrows', breaks: ['up'] },
  triangledescending: { upper: 'falls', lower: 'flat', width: 'narrows', breaks: ['down'] },
  trianglesymmetricalbullish: { upper: 'falls', lower: 'rises', width: 'narrows', breaks: ['up'] },
  trianglesymmetricalbearish: { upper: 'falls', lower: 'rises', width: 'narrows', breaks: ['down'] },
  wedgerising: { upper: 'rises', lower: 'rises', width: 'converges', breaks: ['down'] },
  wedgefalling: { upper: 'falls', lower: 'falls', width: 'converges', breaks: ['up'] },
  rectangle: { upper: 'flat', lower: 'flat', width: 'any', breaks: ['up', 'down'] },
  channelup: { upper: 'rises', lower: 'rises', width: 'parallel', breaks: ['up', 'down'] },
  channeldown: { upper: 'falls', lower: 'falls', width: 'parallel', breaks: ['up', 'down'] },
  flagbullish: { upper: 'falls', lower: 'falls', width: 'parallel', breaks: ['up'], pole: 'up' },
  flagbearish: { upper: 'rises', lower: 'rises', width: 'parallel', breaks: ['down'], pole: 'down' },
  pennantbullish: { upper: 'any', lower: 'any', width: 'converges', breaks: ['up'], pole: 'up' },
  pennantbearish: { upper: 'any', lower: 'any', width: 'converges', breaks: ['down'], pole: 'down' },
}

/** Wilder's average true range; NaN before candle `period`. */
function averageTrueRanges({ high, low, close }, period) {
  const ranges = close.map((_, i) =>
    i === 0 ? NaN : Math.max(high[i], close[i - 1]) - Math.min(low[i], close[i - 1]),
  )
  const averages = close.map(() => NaN)
  for (let i = period; i < close.length; i++) {
    averages[i] =
      i === period
        ? ranges.slice(1, period + 1).reduce((sum, range) => sum + range, 0) / period
        : averages[i - 1] * (1 - 1 / period) + ranges[i] / period
  }
  return averages
}

/** Highs and lows, or the ends of bodies, of the candles or of their Heikin-Ashi candles. */
function edges({ open, high, low, close }, { source, heikinashi }) {
  const rows = []
  for (let i = 0; i < close.length; i++) {
    const before = rows[i - 1]
    const first = !heikinashi ? open[i] : before ? (before.first + before.last) / 2 : (open[0] + close[0]) / 2
    const last = heikinashi ? (open[i] + high[i] + low[i] + close[i]) / 4 : close[i]
    rows.push({ first, last })
  }
  const isBody = source === 'body'
  return {
    tops: rows.map(({ first, last }, i) => Math.max(first, last, isBody ? -Infinity : high[i])),
    bottoms: rows.map(({ first, last }, i) => Math.min(first, last, isBody ? Infinity : low[i])),
  }
}

/** Whether `values[j]` is above the `left` earlier values and not below the `right` later values. */
const isTop = (values, j, left, right) =>
  values.slice(j - left, j).every(value => value <= values[j]) &&
  values.slice(j + 1, j + right + 1).every(value => value < values[j])

/** The turning points known at each candle, oldest first, if the candle made a difference; otherwise undefined. */
function turningPoints(candles, start, atr, p) {
  const { tops, bottoms } = edges(candles, p)
  const turned = bottoms.map(value => -value)
  let points = []
  return tops.map((_, i) => {
    if (i < start) return undefined
    const j = i - p.lookforward
    const distance =
      p.deviationType === 'atr'
        ? p.deviationATR * atr[i]
        : (p.deviationATR / 100) * Math.abs(points.at(-1)?.price ?? 0)
    const found = []
    if (isTop(tops, j, p.lookback, p.lookforward)) found.push({ at: j, price: tops[j], isHigh: true })
    if (isTop(turned, j, p.lookback, p.lookforward)) found.push({ at: j, price: bottoms[j], isHigh: false })
    // If one candle is both, the point that is due comes first.
    if (points.at(-1)?.isHigh) found.reverse()
    const before = points
    for (const point of found) {
      const last = points.at(-1)
      const way = point.isHigh ? 1 : -1
      if (!last) points = [point]
      else if (last.isHigh === point.isHigh) {
        if (way * (point.price - last.price) > 0) points = [...points.slice(0, -1), point]
      } else if (way * (point.price - last.price) >= distance) points = [...points, point]
    }
    return points === before ? undefined : points
  })
}

/** The line through the first and the last of the points. */
function lineThrough(points) {
  const [first, last] = [points[0], points.at(-1)]
  const rise = last.price - first.price
  const slope = rise / (last.at - first.at)
  return { points, rise, at: i => last.price + slope * (i - last.at) }
}

/** The smallest rise or fall of the lines that the parameters give, in average true ranges. */
const leastMoves = { rises: 'minAscentATR', falls: 'minDescentATR' }

function hasMove(line, move, tolerance, atr, p) {
  const least = (p[leastMoves[move]] ?? 0) * atr
  if (move === 'flat') return Math.abs(line.rise) <= tolerance * atr
  if (move === 'rises') return line.rise > 0 && line.rise >= least
  if (move === 'falls') return line.rise < 0 && -line.rise >= least
  return true
}

function hasWidth(first, last, width) {
  if (first <= 0 || last <= 0) return false
  if (width === 'narrows') return last < first
  if (width === 'converges') return last < 0.75 * first
  if (width === 'parallel') return Math.min(first, last) >= 0.75 * Math.max(first, last)
  return true
}

/** Start of the pole before the first point, or undefined if there is no pole. */
function poleStart({ high, low }, first, pole, atr, p) {
  if (first.isHigh !== (pole === 'up')) return undefined
  const from = first.at - p.poleLength
  const start =
    pole === 'up' ? Math.min(...low.slice(from, first.at)) : Math.max(...high.slice(from, first.at))
  const height = pole === 'up' ? first.price - start : start - first.price
  return height > 0 && height >= p.poleATR * atr ? start : undefined
}

/** The pattern that the newest turning points form, or undefined. */
function patternOf(candles, points, row, atr, p) {
  const upper = lineThrough(points.filter(point => point.isHigh))
  const lower = lineThrough(points.filter(point => !point.isHigh))
  for (const [line, move, given] of [
    [upper, row.upper, p.topToleranceATR],
    [lower, row.lower, p.bottomToleranceATR],
  ]) {
    const tolerance = given ?? 0.75
    if (!hasMove(line, move, tolerance, atr, p)) return undefined
    const between = line.points.slice(1, -1)
    if (!between.every(({ at, price }) => Math.abs(price - line.at(at)) <= tolerance * atr)) return undefined
  }
  const [start, end] = [points[0].at, points.at(-1).at]
  if (!hasWidth(upper.at(start) - lower.at(start), upper.at(end) - lower.at(end), row.width)) return undefined
  if (!row.pole) return { upper, lower }
  const pole = poleStart(candles, points[0], row.pole, atr, p)
  if (pole === undefined) return undefined
  if (!points.every(({ price }) => (row.pole === 'up' ? price > pole : price < pole))) return undefined
  return { upper, lower, move: points[0].price - pole }
}

/** The outputs of a pattern, computed candle by candle from the turning points known at each. */
function replay(candles, row, p) {
  const { high, low, close } = candles
  const start = Math.max(p.lookback + p.lookforward, p.atrPeriod, p.lookforward + (p.poleLength ?? 0))
  const atr = averageTrueRanges(candles, p.atrPeriod)
  const known = turningPoints(candles, start, atr, p)
  const value = close.map((_, i) => (i < start ? null : 0))
  const [upper, lower, target] = [0, 1, 2].map(() => close.map(() => null))
  let [points, pattern, wrong, usedUntil, aim] = [[], undefined, 0, -1, undefined]
  for (let i = start; i < close.length; i++) {
    if (known[i]) {
      points = known[i]
      const newest = points.slice(-2 * p.touches)
      const isNew = newest.length === 2 * p.touches && newest[0].at > usedUntil
      const found = isNew ? patternOf(candles, newest, row, atr[i], p) : undefined
      if (found) [pattern, wrong] = [found, 0]
    }
    const [top, bottom] = pattern ? [pattern.upper.at(i), pattern.lower.at(i)] : [NaN, NaN]
    if (!(top > bottom)) pattern = undefined
    const way = close[i] > top ? 'up' : close[i] < bottom ? 'down' : undefined
    if (aim) {
      const isReached = row.pole === 'up' ? high[i] >= aim.price : low[i] <= aim.price
      const isLost = row.pole === 'up' ? close[i] < aim.stop : close[i] > aim.stop
      if (isReached || isLost) aim = undefined
    }
    if (pattern && row.breaks.includes(way)) {
      value[i] = way === 'up' ? 100 : -100
      upper[i] = top
      lower[i] = bottom
      usedUntil = points.at(-1).at
      aim =
        way === 'up'
          ? { price: top + pattern.move, stop: bottom }
          : { price: bottom + pattern.move, stop: top }
      pattern = undefined
    }
    if (pattern) {
      wrong = way ? wrong + 1 : 0
      if (wrong >= (p.invalidationCloses ?? 2)) pattern = undefined
    }
    if (pattern) {
      upper[i] = top
      lower[i] = bottom
    }
    if (aim) target[i] = aim.price
  }
  return row.pole ? { value, upper, lower, target } : { value, upper, lower }
}

const defaults = {
  lookback: 5,
  lookforward: 5,
  deviationATR: 1,
  deviationType: 'atr',
  source: 'wick',
  heikinashi: true,
  atrPeriod: 14,
  touches: 2,
}
const invalidation = { invalidationCloses: 2 }
const slanted = { touches: 3, minDescentATR: 0, minAscentATR: 0 }
const pole = { poleATR: 3, poleLength: 10 }
const own = {
  triangleascending: { topToleranceATR: 0.75, minAscentATR: 0, ...invalidation },
  triangledescending: { bottomToleranceATR: 0.75, minDescentATR: 0, ...invalidation },
  trianglesymmetricalbullish: slanted,
  trianglesymmetricalbearish: slanted,
  flagbullish: pole,
  flagbearish: pole,
  pennantbullish: pole,
  pennantbearish: pole,
}

/** Sets that change each of the parameters that all have. */
const spans = { lookback: 2, lookforward: 2 }
const bodies = ['daily', { ...spans, deviationATR: 0.3, source: 'body', heikinashi: false }]
const common = [
  ['volatile', {}],
  bodies,
  ['bent', { lookback: 3, lookforward: 1, deviationType: 'percent', atrPeriod: 5 }],
]
const threeTouches = ['bent', { ...spans, touches: 3, heikinashi: false, deviationATR: 0.5 }]
const further = {
  triangleascending: [
    threeTouches,
    ['bent', { ...spans, heikinashi: false, topToleranceATR: 1.5, minAscentATR: 0.6, invalidationCloses: 1 }],
  ],
  triangledescending: [
    threeTouches,
    [
      'bent',
      { ...spans, heikinashi: false, bottomToleranceATR: 1.5, minDescentATR: 0.6, invalidationCloses: 1 },
    ],
  ],
  trianglesymmetricalbullish: [
    ['bent', { lookback: 1, lookforward: 1, touches: 2, minDescentATR: 0.5, minAscentATR: 0.2 }],
    ['bent', { ...spans, touches: 2, minDescentATR: 0.2, minAscentATR: 0.5 }],
  ],
  trianglesymmetricalbearish: [
    ['bent', { lookback: 1, lookforward: 1, touches: 2, minDescentATR: 0.5, minAscentATR: 0.2 }],
    ['bent', { ...spans, touches: 2, minDescentATR: 0.2, minAscentATR: 0.5 }],
  ],
}
const poled = [
  ['volatile', {}],
  bodies,
  ['bent', { ...spans, deviationATR: 0.1, deviationType: 'percent', atrPeriod: 5, poleATR: 1.5 }],
  threeTouches,
  ['bent', { ...spans, heikinashi: false, deviationATR: 0.3, poleATR: 1, poleLength: 20 }],
]

const source =
  'the definition in plain JavaScript (test/vectors/definitions/chart-lines.js): lines through turning points found over the whole history, replayed candle by candle'

export const vectors = Object.fromEntries(
  Object.entries(rows).map(([id, row]) => [
    id,
    {
      source,
      compute: (candles, params) => replay(candles, row, { ...defaults, ...own[id], ...params }),
      cases: row.pole ? poled : [...common, ...(further[id] ?? [threeTouches])],
    },
  ]),
)
