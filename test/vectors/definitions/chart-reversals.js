// Definitions of reversals of two or three tops or bottoms, of cups and of rounding tops and bottoms. All are written for
// one side; the other side is the same market upside down.
import { isLonger } from '../columns.js'

/** The market with all prices negated. */
const upsideDown = ({ open, high, low, close }) => {
  const negated = column => column.map(price => -price)
  return { open: negated(open), high: negated(low), low: negated(high), close: negated(close) }
}

const common = {
  depth: 10,
  deviationATR: 1,
  deviationType: 'atr',
  source: 'wick',
  heikinashi: true,
  atrPeriod: 14,
}

function wilderRange({ high, low, close }, period) {
  const ranges = close.map((_, i) =>
    i === 0 ? NaN : Math.max(high[i], close[i - 1]) - Math.min(low[i], close[i - 1]),
  )
  const result = close.map(() => NaN)
  for (let i = period; i < close.length; i++) {
    if (i === period) result[i] = ranges.slice(1, period + 1).reduce((sum, range) => sum + range, 0) / period
    else result[i] = (result[i - 1] * (period - 1) + ranges[i]) / period
  }
  return result
}

/** The candles that turning points are taken from, as their upper and lower ends. */
function ends(candles, { source, heikinashi }) {
  let { open, high, low, close } = candles
  if (heikinashi) {
    const last = close.map((_, i) => (open[i] + high[i] + low[i] + close[i]) / 4)
    const first = [(open[0] + close[0]) / 2]
    for (let i = 1; i < close.length; i++) first.push((first[i - 1] + last[i - 1]) / 2)
    high = high.map((price, i) => Math.max(price, first[i], last[i]))
    low = low.map((price, i) => Math.min(price, first[i], last[i]))
    open = first
    close = last
  }
  if (source === 'wick') return { high, low }
  return {
    high: open.map((price, i) => Math.max(price, close[i])),
    low: open.map((price, i) => Math.min(price, close[i])),
  }
}

/**
 * The turning points known at each candle, oldest first, as { at, price, isHigh }. Undefined if they equal the points
 * of the previous candle.
 */
function turningPoints(candles, p, range) {
  const { high, low } = ends(candles, p)
  const half = Math.floor(p.depth / 2)
  const isExtreme = (column, j, sign) => {
    for (let k = j - half; k <= j + half; k++) {
      if (k < j && sign * column[k] > sign * column[j]) return false
      if (k > j && sign * column[k] >= sign * column[j]) return false
    }
    return true
  }
  const known = high.map(() => undefined)
  let list = []
  for (let i = 2 * half; i < high.length; i++) {
    const j = i - half
    const before = list
    const points = []
    if (isExtreme(high, j, 1)) points.push({ at: j, price: high[j], isHigh: true })
    if (isExtreme(low, j, -1)) points.push({ at: j, price: low[j], isHigh: false })
    if (points.length === 2 && list.at(-1)?.isHigh) points.reverse()
    const distance =
      p.deviationType === 'atr'
        ? p.deviationATR * range[i]
        : (p.deviationATR / 100) * Math.abs(list.at(-1)?.price ?? 0)
    for (const point of points) {
      const last = list.at(-1)
      const farther = last && (point.isHigh ? point.price - last.price : last.price - point.price)
      if (!last) list = [point]
      else if (last.isHigh === point.isHigh && farther > 0) list = [...list.slice(0, -1), point]
      else if (last.isHigh !== point.isHigh && !isLonger(distance, farther)) list = [...list, point]
    }
    if (list !== before) known[i] = list
  }
  return known
}

const spread = (...prices) => Math.max(...prices) - Math.min(...prices)

/** The formation of tops that the newest turning points make, or undefined. `list` ends with a top. */
function topsAt(list, range, p, { peaks, hasHead }) {
  const points = list.slice(-(2 * peaks - 1))
  if (points.length < 2 * peaks - 1) return undefined
  const tops = points.filter(point => point.isHigh)
  const lows = points.filter(point => !point.isHigh)
  const highest = Math.max(...tops.map(top => top.price))
  const lowest = Math.min(...lows.map(low => low.price))
  if (!hasHead) {
    if (isLonger(spread(...tops.map(top => top.price)), p.tolerance * range)) return undefined
    if (isLonger(p.minHeight * range, highest - lowest)) return undefined
    const symmetry = (tops[1].at - lows[0].at) / (lows[0].at - tops[0].at)
    if (peaks === 2 && !(symmetry >= p.symmetryMin && symmetry <= p.symmetryMax)) return undefined
    return { line: () => lowest, height: highest - lowest, highest }
  }
  const [left, head, right] = tops
  const [first, second] = lows
  const line = i => second.price + ((second.price - first.price) / (second.at - first.at)) * (i - second.at)
  if (!(spread(left.price, right.price) <= p.tolerance * range)) return undefined
  if (!(head.price - Math.max(left.price, right.price) >= p.prominence * range)) return undefined
  if (!(left.price > line(left.at) && right.price > line(right.at))) return undefined
  const height = head.price - line(head.at)
  if (!(height >= p.minHeight * range)) return undefined
  const symmetry = (right.at - head.at) / (head.at - left.at)
  if (!(symmetry >= p.symmetryMin && symmetry <= p.symmetryMax)) return undefined
  return { line, height, highest }
}

/** Empty outputs: signals of 0 from the end of the warm-up on, no levels. */
const blank = (close, warmup) => ({
  value: close.map((_, i) => (i < warmup ? null : 0)),
  neckline: close.map(() => null),
  target: close.map(() => null),
})

/** Writes the levels from candle `i` on, and overwrites the levels of an older formation. */
function draw(outputs, close, i, { line, target, isOver, until }) {
  for (let k = i; k < close.length; k++) {
    outputs.neckline[k] = null
    outputs.target[k] = null
  }
  for (let k = i; k < close.length && k <= until; k++) {
    if (k > i && isOver(close[k])) break
    outputs.neckline[k] = line(k)
    outputs.target[k] = target
  }
}

const warmupOf = p => Math.max(p.atrPeriod, 2 * Math.floor(p.depth / 2))

function tops(candles, p, kind) {
  const { close } = candles
  const range = wilderRange(candles, p.atrPeriod)
  const known = turningPoints(candles, p, range)
  const outputs = blank(close, warmupOf(p))
  let judged
  let waiting
  for (let i = 0; i < close.length; i++) {
    const newest = known[i]?.findLastIndex(point => point.isHigh) ?? -1
    if (newest >= 0 && known[i][newest].at !== judged) {
      judged = known[i][newest].at
      const formation = topsAt(known[i].slice(0, newest + 1), range[i], p, kind)
      waiting = formation && { ...formation, until: i + p.breakoutLookahead }
    }
    if (!waiting) continue
    const { line, height, highest, until } = waiting
    if (i > until || close[i] > highest) waiting = undefined
    else if (line(i) - close[i] > (p.necklineBuffer ?? 0) * range[i]) {
      waiting = undefined
      outputs.value[i] = -100
      const target = line(i) - height
      const isOver = price => price <= target || price > highest
      draw(outputs, close, i, { line, target, isOver, until: i + p.breakoutLookahead })
    }
  }
  return outputs
}

const share = (part, whole) => part / whole

/** Whether the closes between two candles, and the position of the bottom, fit a rounded bottom. */
function isRounded(close, left, right, rim, bottom) {
  const place = 3 * (bottom.at - left)
  if (place < right - left || place > 2 * (right - left)) return false
  const between = close.slice(left + 1, right)
  const distance = between.reduce((sum, price) => sum + (rim - price), 0) / between.length
  const fill = share(distance, rim - bottom.price)
  return fill >= 0.55 && fill <= 0.85
}

const lowestOf = points =>
  points.reduceRight((best, point) => (best && best.price <= point.price ? best : point), undefined)

/** The cup whose right rim is the last of the turning points, or undefined. */
function cupAt(list, close, i, range, p) {
  const right = list.at(-1)
  const lefts = list.filter(point => point.isHigh && point !== right).reverse()
  for (const left of lefts) {
    const length = right.at - left.at
    if (length < p.minLength || length > p.maxLength) continue
    const inside = list.filter(point => point.at > left.at && point.at < right.at)
    const bottom = lowestOf(list.slice(list.indexOf(left), -1).filter(point => !point.isHigh))
    const lower = Math.min(left.price, right.price)
    const higher = Math.max(left.price, right.price)
    const depth = lower - bottom.price
    if (inside.some(point => point.isHigh && point.price > lower)) continue
    if (higher - lower > depth / 4 || !(depth >= 3 * range)) continue
    if (!isRounded(close, left.at, right.at, (left.price + right.price) / 2, bottom)) continue
    const limit = higher - (higher - bottom.price) / 2
    if (close.slice(right.at + 1, i).some(price => price < limit)) return undefined
    return { rim: higher, bottom: bottom.price, length, limit, until: right.at + Math.floor(length / 2) }
  }
  return undefined
}

/** The rounding bottom that candle `i` completes, or undefined. */
function bowlAt(list, close, i, range, p) {
  for (const left of list.filter(point => point.isHigh).reverse()) {
    const length = i - left.at
    if (length < p.minLength || length > p.maxLength) continue
    if (!(close[i] > left.price && close[i - 1] <= left.price)) continue
    if (close.slice(left.at + 1, i).some(price => price > left.price)) continue
    const after = list.slice(list.indexOf(left) + 1)
    if (after.some(point => point.isHigh && point.price >= left.price)) continue
    const bottom = lowestOf(after.filter(point => !point.isHigh))
    if (!bottom || !(left.price - bottom.price >= 3 * range)) continue
    if (!isRounded(close, left.at, i, left.price, bottom)) continue
    return { rim: left.price, bottom: bottom.price, length }
  }
  return undefined
}

function bowls(candles, p, { hasHandle }) {
  const { close } = candles
  const range = wilderRange(candles, p.atrPeriod)
  const known = turningPoints(candles, p, range)
  const outputs = blank(close, warmupOf(p))
  let list = []
  let judged
  let waiting
  for (let i = 1; i < close.length; i++) {
    const isNew = known[i] !== undefined
    list = (known[i] ?? list).slice(-32)
    const newest = list.findLastIndex(point => point.isHigh)
    if (!hasHandle) {
      const bowl = bowlAt(list, close, i, range[i], p)
      waiting = bowl && { ...bowl, limit: -Infinity, until: i }
    } else if (isNew && newest >= 0 && list[newest].at !== judged) {
      judged = list[newest].at
      waiting = cupAt(list.slice(0, newest + 1), close, i, range[i], p)
    }
    if (!waiting) continue
    const { rim, bottom, length, limit, until } = waiting
    if (i > until || close[i] < limit) waiting = undefined
    else if (close[i] > rim) {
      waiting = undefined
      outputs.value[i] = 100
      const target = rim + (rim - bottom)
      const isOver = price => price >= target || price < bottom
      draw(outputs, close, i, { line: () => rim, target, isOver, until: i + length })
    }
  }
  return outputs
}

/** A definition of the other side: on the market upside down, with the outputs turned back. */
const inverted = definition => (candles, p) => {
  const turn = column => column.map(value => (value === null ? null : 0 - value))
  const { value, neckline, target } = definition(upsideDown(candles), p)
  return { value: turn(value), neckline: turn(neckline), target: turn(target) }
}

const doubleTop = (candles, p) => tops(candles, p, { peaks: 2, hasHead: false })
const tripleTop = (candles, p) => tops(candles, p, { peaks: 3, hasHead: false })
const headAndShoulders = (candles, p) => tops(candles, p, { peaks: 3, hasHead: true })
const cupAndHandle = (candles, p) => bowls(candles, p, { hasHandle: true })
const roundingBottom = (candles, p) => bowls(candles, p, { hasHandle: false })

/** Renames the parameters of an indicator to common names. */
const named =
  (definition, defaults, names = {}) =>
  (candles, given) => {
    const p = { ...common, ...defaults }
    for (const [name, value] of Object.entries(given)) p[names[name] ?? name] = value
    return definition(candles, p)
  }

const double = { tolerance: 0.75, minHeight: 1.5, symmetryMin: 0.3, symmetryMax: 4 }
const triple = { tolerance: 0.75, minHeight: 1.5, breakoutLookahead: 20 }
const head = { prominence: 1.2, tolerance: 1.5, minHeight: 1, symmetryMin: 0.5, symmetryMax: 2 }
const breakout = { breakoutLookahead: 20, necklineBuffer: 0.1 }
const rounded = { minLength: 20, maxLength: 120 }
const doubleNames = {
  topToleranceATR: 'tolerance',
  bottomToleranceATR: 'tolerance',
  minHeightATR: 'minHeight',
}
const tripleNames = { toleranceATR: 'tolerance', minHeightATR: 'minHeight' }
const headNames = {
  headProminenceATR: 'prominence',
  shoulderToleranceATR: 'tolerance',
  minHeightATR: 'minHeight',
  minDepthATR: 'minHeight',
}

const swingCases = { depth: 4, deviationATR: 0.5, atrPeriod: 10 }
const percentCases = {
  depth: 2,
  deviationATR: 0.4,
  deviationType: 'percent',
  source: 'body',
  heikinashi: false,
}

/** Cases with the defaults, with close turning points, and with turning points of bodies in percent, each on one market. */
const casesOn =
  (close, percent) =>
  ([first, second, third]) => [
    [first, {}],
    [second, { ...swingCases, ...close }],
    [third, { ...percentCases, ...percent }],
  ]
const doubleCases = tolerance =>
  casesOn(
    { [tolerance]: 1.5, minHeightATR: 1 },
    { [tolerance]: 2, symmetryMin: 0.5, symmetryMax: 2, breakoutLookahead: 8, necklineBuffer: 0 },
  )
const tripleCases = casesOn({ toleranceATR: 1.5, minHeightATR: 1 }, { toleranceATR: 2, breakoutLookahead: 8 })
const headCases = height =>
  casesOn(
    { headProminenceATR: 0.5, shoulderToleranceATR: 2, [height]: 0.5 },
    { headProminenceATR: 0.3, symmetryMin: 0.3, symmetryMax: 3, breakoutLookahead: 8, necklineBuffer: 0 },
  )
const roundedCases = casesOn({ minLength: 10, maxLength: 60 }, { minLength: 6, maxLength: 200 })

const source = 'definition'
const vectorOf = (definition, defaults, names, cases) => ({
  source,
  compute: named(definition, defaults, names),
  cases,
})

const doubles = { ...double, ...breakout }
const heads = { ...head, ...breakout }

export const vectors = {
  doubletop: vectorOf(
    doubleTop,
    doubles,
    doubleNames,
    doubleCases('topToleranceATR')(['shapes', 'penny', 'daily']),
  ),
  doublebottom: vectorOf(
    inverted(doubleTop),
    doubles,
    doubleNames,
    doubleCases('bottomToleranceATR')(['shapes', 'penny', 'daily']),
  ),
  tripletop: vectorOf(tripleTop, triple, tripleNames, tripleCases(['penny', 'penny', 'daily'])),
  triplebottom: vectorOf(inverted(tripleTop), triple, tripleNames, tripleCases(['penny', 'penny', 'daily'])),
  headandshoulders: vectorOf(
    headAndShoulders,
    heads,
    headNames,
    headCases('minHeightATR')(['shapes', 'penny', 'daily']),
  ),
  inverseheadandshoulders: vectorOf(
    inverted(headAndShoulders),
    heads,
    headNames,
    headCases('minDepthATR')(['bent', 'daily', 'shapes']),
  ),
  cupandhandle: vectorOf(cupAndHandle, rounded, {}, roundedCases(['bent', 'penny', 'penny'])),
  inversecupandhandle: vectorOf(
    inverted(cupAndHandle),
    rounded,
    {},
    roundedCases(['shapes', 'daily', 'volatile']),
  ),
  roundingbottom: vectorOf(roundingBottom, rounded, {}, roundedCases(['penny', 'volatile', 'shapes'])),
  roundingtop: vectorOf(inverted(roundingBottom), rounded, {}, roundedCases(['volatile', 'daily', 'shapes'])),
}
