// Definitions of the harmonic patterns: all turning points are found first, then the candles are gone through once. They
// are written in the plainest way, without regard to speed.

const none = length => new Array(length).fill(null)

/**
 * Average true range by Wilder, which starts as the mean of the first `period` true ranges. The first true range
 * belongs to candle 1.
 */
function averageTrueRange({ high, low, close }, period) {
  const ranges = high.map((top, i) =>
    i === 0 ? NaN : Math.max(top, close[i - 1]) - Math.min(low[i], close[i - 1]),
  )
  const smooth = ranges.map(() => NaN)
  for (let i = period; i < ranges.length; i++) {
    const seed = ranges.slice(1, period + 1).reduce((sum, range) => sum + range, 0) / period
    smooth[i] = i === period ? seed : (smooth[i - 1] * (period - 1) + ranges[i]) / period
  }
  return smooth
}

function heikinAshi({ open, high, low, close }) {
  const smooth = { open: [], high: [], low: [], close: [] }
  close.forEach((_, i) => {
    smooth.close[i] = (open[i] + high[i] + low[i] + close[i]) / 4
    smooth.open[i] = i === 0 ? (open[0] + close[0]) / 2 : (smooth.open[i - 1] + smooth.close[i - 1]) / 2
    smooth.high[i] = Math.max(high[i], smooth.open[i], smooth.close[i])
    smooth.low[i] = Math.min(low[i], smooth.open[i], smooth.close[i])
  })
  return smooth
}

/** All turning points of one side by the candle that confirms them, however close together they are. */
function turningPoints(prices, span, side) {
  const confirmed = none(prices.length)
  for (let j = span; j + span < prices.length; j++) {
    const before = prices.slice(j - span, j).every(price => price * side <= prices[j] * side)
    const after = prices.slice(j + 1, j + span + 1).every(price => price * side < prices[j] * side)
    if (before && after) confirmed[j + span] = { at: j, price: prices[j], side }
  }
  return confirmed
}

/** The alternating turning points known at each candle, oldest first, if the candle changed them; otherwise null. */
function changesOfPivots(candles, { depth, deviationATR, deviationType, source, heikinashi, atrPeriod }) {
  const shown = heikinashi ? heikinAshi(candles) : candles
  const isBody = source === 'body'
  const tops = shown.close.map((close, i) => (isBody ? Math.max(close, shown.open[i]) : shown.high[i]))
  const bottoms = shown.close.map((close, i) => (isBody ? Math.min(close, shown.open[i]) : shown.low[i]))
  const span = Math.floor(depth / 2)
  const highs = turningPoints(tops, span, 1)
  const lows = turningPoints(bottoms, span, -1)
  const range = averageTrueRange(candles, atrPeriod)
  let known = []
  return candles.close.map((_, i) => {
    const newest = known.at(-1)
    const distance = deviationATR * (deviationType === 'atr' ? range[i] : Math.abs(newest?.price ?? 0) / 100)
    const found = newest?.side === 1 ? [lows[i], highs[i]] : [highs[i], lows[i]]
    const before = known
    for (const pivot of found.filter(Boolean)) {
      const last = known.at(-1)
      if (!last) known = [pivot]
      else if (last.side === pivot.side) {
        if (pivot.price * pivot.side > last.price * pivot.side) known = [...known.slice(0, -1), pivot]
      } else if ((pivot.price - last.price) * pivot.side >= distance) known = [...known, pivot]
    }
    return known === before ? null : known
  })
}

/** Candles after the confirming one for which levels are given at most. */
const maxLevelCandles = 100

/** Value and levels. `find` returns the pattern of the turning points as { entry, stop, target(i), side }, or null. */
function harmonic(candles, given, find) {
  const params = {
    depth: 10,
    deviationATR: 1,
    deviationType: 'atr',
    source: 'wick',
    heikinashi: true,
    atrPeriod: 14,
    tolerance: 0.05,
    ...given,
  }
  const changes = changesOfPivots(candles, params)
  const { length } = candles.close
  const warmup = Math.max(
    2 * Math.floor(params.depth / 2),
    params.deviationType === 'atr' ? params.atrPeriod : 0,
  )
  const outputs = {
    value: candles.close.map((_, i) => (i < warmup ? null : 0)),
    entry: none(length),
    stop: none(length),
    target: none(length),
  }
  let pattern = null
  for (let i = warmup; i < length; i++) {
    const found = changes[i] && find(changes[i], params.tolerance)
    if (found) {
      pattern = { ...found, since: i }
      outputs.value[i] = 100 * pattern.side
    } else if (pattern) {
      const beyondStop = (pattern.stop - candles.close[i]) * pattern.side >= 0
      const atTarget = (candles.close[i] - pattern.target(i)) * pattern.side >= 0
      if (beyondStop || atTarget || i - pattern.since > maxLevelCandles) pattern = null
    }
    if (!pattern) continue
    outputs.entry[i] = pattern.entry
    outputs.stop[i] = pattern.stop
    outputs.target[i] = pattern.target(i)
  }
  return outputs
}

/** Whether `ratio` lies within limits widened by `tolerance` of themselves. Without limits, any ratio fits. */
const fits = (ratio, [least, greatest] = [0, Infinity], tolerance) =>
  ratio >= least * (1 - tolerance) && ratio <= greatest * (1 + tolerance)

const between = (one, other) => Math.abs(one.price - other.price)

/** A pattern of five points, X to D. */
const fivePoints =
  ({ b, c, cd, d: depth = [0, Infinity], xc, dOfXC }) =>
  (pivots, tolerance) => {
    if (pivots.length < 5) return null
    const [X, A, B, C, D] = pivots.slice(-5)
    const isPattern =
      fits(between(A, B) / between(X, A), b, tolerance) &&
      fits(between(B, C) / between(A, B), c, tolerance) &&
      fits(between(C, D) / between(B, C), cd, tolerance) &&
      fits(between(A, D) / between(X, A), depth, tolerance) &&
      fits(between(X, C) / between(X, A), xc, tolerance) &&
      fits(between(C, D) / between(X, C), dOfXC, tolerance)
    if (!isPattern) return null
    const [start, end] = dOfXC ? [C, dOfXC[1]] : [A, depth[1]]
    const farthest = Math.max(1, end * (1 + tolerance))
    const target = D.price + 0.618 * (A.price - D.price)
    return {
      side: -D.side,
      entry: D.price,
      stop: start.price - farthest * (start.price - X.price),
      target: () => target,
    }
  }

function abcd(pivots, tolerance) {
  if (pivots.length < 4) return null
  const [A, B, C, D] = pivots.slice(-4)
  const isPattern =
    fits(between(B, C) / between(A, B), [0.382, 0.886], tolerance) &&
    fits(between(C, D) / between(B, C), [1.13, 2.618], tolerance) &&
    fits(between(C, D) / between(A, B), [1, 1], tolerance)
  if (!isPattern) return null
  const target = D.price + 0.618 * (A.price - D.price)
  const stop = C.price - Math.max(1.27, 1 + tolerance) * (A.price - B.price)
  return { side: -D.side, entry: D.price, stop, target: () => target }
}

function threedrives(pivots, tolerance) {
  if (pivots.length < 6) return null
  const [start, first, correction1, second, correction2, third] = pivots.slice(-6)
  const isPattern =
    fits(between(first, correction1) / between(start, first), [0.618, 0.786], tolerance) &&
    fits(between(correction1, second) / between(first, correction1), [1.27, 1.618], tolerance) &&
    fits(between(second, correction2) / between(correction1, second), [0.618, 0.786], tolerance) &&
    fits(between(correction2, third) / between(second, correction2), [1.27, 1.618], tolerance)
  if (!isPattern) return null
  const target = third.price + 0.618 * (start.price - third.price)
  const stop = correction2.price - 1.618 * (1 + tolerance) * (correction2.price - second.price)
  return { side: -third.side, entry: third.price, stop, target: () => target }
}

/** The price at candle `at` of the line through two turning points. */
const lineThrough = (one, other) => at =>
  one.price + ((other.price - one.price) / (other.at - one.at)) * (at - one.at)

function wolfewave(pivots, tolerance) {
  if (pivots.length < 5) return null
  const [p1, p2, p3, p4, p5] = pivots.slice(-5)
  const side = -p5.side
  const lies = (one, below) => one * side < below * side
  const steepness = line => (line(1) - line(0)) * side
  const outer = lineThrough(p1, p3)
  const isPattern =
    lies(p3.price, p1.price) &&
    lies(p5.price, p3.price) &&
    lies(p1.price, p4.price) &&
    lies(p4.price, p2.price) &&
    steepness(lineThrough(p2, p4)) < steepness(outer) &&
    (p5.price - outer(p5.at)) * side <= tolerance * between(p2, p3)
  if (!isPattern) return null
  const stop = p5.price - side * tolerance * between(p4, p5)
  return { side, entry: p5.price, stop, target: lineThrough(p1, p4) }
}

const members = {
  abcd,
  gartley: fivePoints({ b: [0.618, 0.618], c: [0.382, 0.886], cd: [1.13, 1.618], d: [0.786, 0.786] }),
  bat: fivePoints({ b: [0.382, 0.5], c: [0.382, 0.886], cd: [1.618, 2.618], d: [0.886, 0.886] }),
  altbat: fivePoints({ b: [0.382, 0.382], c: [0.382, 0.886], cd: [2, 3.618], d: [1.13, 1.13] }),
  butterfly: fivePoints({ b: [0.786, 0.786], c: [0.382, 0.886], cd: [1.618, 2.24], d: [1.27, 1.41] }),
  crab: fivePoints({ b: [0.382, 0.618], c: [0.382, 0.886], cd: [2.618, 3.618], d: [1.618, 1.618] }),
  deepcrab: fivePoints({ b: [0.886, 0.886], c: [0.382, 0.886], cd: [2, 3.618], d: [1.618, 1.618] }),
  shark: fivePoints({ c: [1.13, 1.618], cd: [1.618, 2.24], d: [0.886, 1.13] }),
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: as the publication rounds it
  cypher: fivePoints({ b: [0.382, 0.618], xc: [1.272, 1.414], dOfXC: [0.786, 0.786] }),
  threedrives,
  wolfewave,
}

const carney = 'The ratios of neurotrader888, after Carney, Harmonic Trading (2010)'
const sourceOf = {
  abcd: 'Gartley, Profits in the Stock Market (1935); Carney, Harmonic Trading (2010)',
  altbat: 'Carney, Harmonic Trading (2010)',
  cypher: 'the ratios of Oglesbee',
  threedrives: 'Pesavento, Fibonacci Ratios with Pattern Recognition (1997)',
  wolfewave: 'Wolfe in Connors and Raschke, Street Smarts (1995)',
}

/** All members share their cases: the smaller the spans and the wider the tolerance, the more often each occurs. */
const cases = [
  ['daily', {}],
  [
    'volatile',
    { depth: 4, deviationATR: 0.5, source: 'body', heikinashi: true, atrPeriod: 7, tolerance: 0.4 },
  ],
  ['daily', { depth: 3, deviationATR: 0, heikinashi: false, tolerance: 0.45 }],
  [
    'penny',
    {
      depth: 2,
      deviationATR: 0.2,
      deviationType: 'percent',
      heikinashi: false,
      atrPeriod: 5,
      tolerance: 0.25,
    },
  ],
]

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = Object.fromEntries(
  Object.entries(members).map(([name, find]) => [
    name,
    {
      source: sourceOf[name] ?? carney,
      compute: (candles, params) => harmonic(candles, params, find),
      cases,
    },
  ]),
)
