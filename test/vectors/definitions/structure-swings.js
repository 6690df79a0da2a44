// Definitions of swings and of indicators that are built on them. First all swings are found, each with the candle that
// confirms it. Then the rule is replayed candle by candle. NaN and null mean a missing value.

const times = (n, make) => Array.from({ length: n }, (_, k) => make(k))

/** All swings of one side, oldest first; of equal prices the newest counts, or none if `isStrict`. */
function swingsOf(prices, side, left, right, isStrict = false) {
  const found = []
  for (let at = left; at + right < prices.length; at++) {
    const price = prices[at]
    const before = prices.slice(at - left, at)
    const after = prices.slice(at + 1, at + right + 1)
    const isBeyond = other => (side > 0 ? price > other : price < other)
    const isOut =
      before.every(other => isBeyond(other) || (!isStrict && other === price)) && after.every(isBeyond)
    if (isOut) found.push({ at, price, side, known: at + right })
  }
  return found
}

/** The swing highs and the swing lows that each candle confirms. */
function confirmed({ high, low }, left, right) {
  const all = [...swingsOf(high, 1, left, right), ...swingsOf(low, -1, left, right)]
  const rows = high.map(() => ({}))
  for (const swing of all) rows[swing.known][swing.side > 0 ? 'high' : 'low'] = swing
  return rows
}

/**
 * Columns of the rows that `at` returns for each candle from `lookback` on. `empty` has the values that a row leaves
 * out.
 */
function columns(count, lookback, empty, at) {
  const rows = times(count, i => (i < lookback ? null : { ...empty, ...at(i) }))
  return Object.fromEntries(Object.keys(empty).map(name => [name, rows.map(row => (row ? row[name] : null))]))
}

/** Wilder's average true range. */
function atr({ high, low, close }, period) {
  const ranges = close.map((_, i) =>
    i === 0 ? NaN : Math.max(high[i], close[i - 1]) - Math.min(low[i], close[i - 1]),
  )
  const average = ranges.map(() => NaN)
  for (let i = period; i < ranges.length; i++) {
    average[i] =
      i === period
        ? ranges.slice(1, period + 1).reduce((sum, range) => sum + range, 0) / period
        : (average[i - 1] * (period - 1) + ranges[i]) / period
  }
  return average
}

export function swings(candles, { swingLeft = 5, swingRight = 5 }) {
  const rows = confirmed(candles, swingLeft, swingRight)
  let last
  return columns(rows.length, swingLeft + swingRight, { value: 0, level: null }, i => {
    const { high, low } = rows[i]
    const swing = high && low ? (last === high.side ? low : high) : (high ?? low)
    if (!swing) return {}
    last = swing.side
    return { value: 100 * swing.side, level: swing.price }
  })
}

export function fractals({ high, low }, { left = 2, right = 2 }) {
  const place = found => {
    const list = high.map(() => null)
    for (const { known, price } of found) list[known] = price
    return list
  }
  return {
    up: place(swingsOf(high, 1, left, right, true)),
    down: place(swingsOf(low, -1, left, right, true)),
  }
}

export function zigzag(
  candles,
  { deviation = 5, deviationType = 'percent', atrPeriod = 14, source = 'wick' },
) {
  const top = source === 'close' ? candles.close : candles.high
  const bottom = source === 'close' ? candles.close : candles.low
  const ranges = atr(candles, atrPeriod)
  const lookback = deviationType === 'atr' ? atrPeriod : 0
  let start = lookback
  let direction = 0
  return columns(top.length, lookback, { value: 0, level: null, legDirection: 0 }, i => {
    const highest = Math.max(...top.slice(start, i))
    const lowest = Math.min(...bottom.slice(start, i))
    const away = price => (deviationType === 'atr' ? deviation * ranges[i] : (price * deviation) / 100)
    const isHigh = direction >= 0 && i > start && top[i] <= highest && bottom[i] <= highest - away(highest)
    const isLow = direction <= 0 && i > start && bottom[i] >= lowest && top[i] >= lowest + away(lowest)
    if (isHigh === isLow) return { legDirection: 100 * direction }
    direction = isHigh ? -1 : 1
    start = i
    return { value: isHigh ? 100 : -100, level: isHigh ? highest : lowest, legDirection: 100 * direction }
  })
}

/** Effect of each candle on the structure: the event, the side it broke and its price, the trend and the last swings. */
function structure(candles, { swingLeft = 5, swingRight = 5, breakOn = 'close' }) {
  const rows = confirmed(candles, swingLeft, swingRight)
  const up = breakOn === 'wick' ? candles.high : candles.close
  const down = breakOn === 'wick' ? candles.low : candles.close
  let trend = 'range'
  let lastHigh
  let lastLow
  const broken = new Set()
  return rows.map(({ high, low }, i) => {
    if (high) lastHigh = high
    if (low) lastLow = low
    const hit = []
    if (lastHigh && !broken.has(lastHigh) && up[i] > lastHigh.price) hit.push(lastHigh)
    if (lastLow && !broken.has(lastLow) && down[i] < lastLow.price) hit.push(lastLow)
    for (const swing of hit) broken.add(swing)
    const before = trend
    let event = 'none'
    if (hit.length === 2) trend = 'range'
    if (hit.length === 1) {
      trend = hit[0].side > 0 ? 'up' : 'down'
      event = before === trend || before === 'range' ? 'bos' : 'choch'
    }
    const swing = event === 'none' ? undefined : hit[0]
    return { event, swing, trend, lastHigh: lastHigh?.price ?? null, lastLow: lastLow?.price ?? null }
  })
}

const eventsOf = kind => (candles, params) => {
  const { swingLeft = 5, swingRight = 5 } = params
  const rows = structure(candles, params)
  return columns(rows.length, swingLeft + swingRight, { value: 0, level: null }, i =>
    rows[i].event === kind ? { value: 100 * rows[i].swing.side, level: rows[i].swing.price } : {},
  )
}

export function marketstructure(candles, params) {
  const { swingLeft = 5, swingRight = 5 } = params
  const rows = structure(candles, params)
  const empty = { trend: 'range', lastHigh: null, lastLow: null, event: 'none' }
  return columns(rows.length, swingLeft + swingRight, empty, i => {
    const { trend, lastHigh, lastLow, event } = rows[i]
    return { trend, lastHigh, lastLow, event }
  })
}

export function liquiditysweeps(candles, { swingLeft = 5, swingRight = 5 }) {
  const { high, low, close } = candles
  const rows = confirmed(candles, swingLeft, swingRight)
  let lastHigh
  let lastLow
  return columns(rows.length, swingLeft + swingRight, { value: 0, level: null }, i => {
    if (rows[i].high) lastHigh = rows[i].high
    if (rows[i].low) lastLow = rows[i].low
    const [above, below] = [lastHigh, lastLow]
    const isAbove = above !== undefined && high[i] > above.price
    const isBelow = below !== undefined && low[i] < below.price
    if (isAbove) lastHigh = undefined
    if (isBelow) lastLow = undefined
    const sweepsHigh = isAbove && close[i] < above.price
    const sweepsLow = isBelow && close[i] > below.price
    if (sweepsHigh === sweepsLow) return {}
    return sweepsLow ? { value: 100, level: below.price } : { value: -100, level: above.price }
  })
}

/** The levels of both sides that are left after each candle, and the levels that a swing joined. */
function levels(candles, { swingLeft, swingRight, toleranceATR, atrPeriod }) {
  const rows = confirmed(candles, swingLeft, swingRight)
  const ranges = atr(candles, atrPeriod)
  const mean = prices => prices.reduce((sum, price) => sum + price, 0) / prices.length
  const lookback = Math.max(swingLeft + swingRight, atrPeriod)
  let highs = []
  let lows = []
  return rows.map(({ high, low }, i) => {
    if (i < lookback) return undefined
    const tolerance = toleranceATR * ranges[i]
    highs = highs.filter(level => candles.high[i] <= mean(level.prices) + level.tolerance)
    lows = lows.filter(level => candles.low[i] >= mean(level.prices) - level.tolerance)
    const join = (list, swing) => {
      if (!swing) return undefined
      const level = list.findLast(({ prices }) => Math.abs(swing.price - mean(prices)) <= tolerance)
      if (!level) {
        list.push({ prices: [swing.price], tolerance })
        if (list.length > 8) list.shift()
        return undefined
      }
      level.prices.push(swing.price)
      level.tolerance = tolerance
      return { price: mean(level.prices), touches: level.prices.length }
    }
    const [top, bottom] = [join(highs, high), join(lows, low)]
    const pools = list => list.filter(({ prices }) => prices.length > 1).map(({ prices }) => mean(prices))
    return { top, bottom, highs: pools(highs), lows: pools(lows) }
  })
}

const withEquals = (toleranceATR, params) => ({
  swingLeft: 5,
  swingRight: 5,
  toleranceATR,
  atrPeriod: 14,
  ...params,
})

export function equalhighslows(candles, given) {
  const params = withEquals(0.1, given)
  const rows = levels(candles, params)
  const lookback = Math.max(params.swingLeft + params.swingRight, params.atrPeriod)
  return columns(rows.length, lookback, { value: 0, level: null, touches: null }, i => {
    const { top, bottom } = rows[i]
    const level = top && bottom ? undefined : (top ?? bottom)
    return level ? { value: bottom ? 100 : -100, level: level.price, touches: level.touches } : {}
  })
}

export function liquiditypools(candles, given) {
  const params = withEquals(0.25, given)
  const rows = levels(candles, params)
  const lookback = Math.max(params.swingLeft + params.swingRight, params.atrPeriod)
  return columns(rows.length, lookback, { buySide: null, sellSide: null }, i => {
    const above = rows[i].highs.filter(price => price > candles.close[i])
    const below = rows[i].lows.filter(price => price < candles.close[i])
    return {
      buySide: above.length > 0 ? Math.min(...above) : null,
      sellSide: below.length > 0 ? Math.max(...below) : null,
    }
  })
}

/** The last leg { start, end } after each candle, and whether the candle changed it. */
function legs(candles, { swingLeft = 5, swingRight = 5 }) {
  const chain = []
  return confirmed(candles, swingLeft, swingRight).map(({ high, low }) => {
    let isChanged = false
    const isHighDue = chain.at(-1)?.side !== 1
    for (const swing of isHighDue ? [high, low] : [low, high]) {
      if (!swing) continue
      const last = chain.at(-1)
      const gain = last ? (swing.price - last.price) * swing.side : 0
      if (last?.side === swing.side) {
        if (gain <= 0) continue
        chain.pop()
      } else if (gain < 0) continue
      chain.push(swing)
      isChanged = true
    }
    return chain.length > 1 ? { start: chain.at(-2), end: chain.at(-1), isChanged } : undefined
  })
}

export function premiumdiscount(candles, params) {
  const { swingLeft = 5, swingRight = 5 } = params
  const rows = legs(candles, params)
  const empty = { zone: null, equilibrium: null, position: null }
  return columns(rows.length, swingLeft + swingRight, empty, i => {
    if (!rows[i]) return {}
    const top = Math.max(rows[i].start.price, rows[i].end.price)
    const bottom = Math.min(rows[i].start.price, rows[i].end.price)
    const equilibrium = (top + bottom) / 2
    if (top === bottom) return { equilibrium }
    const position = (candles.close[i] - bottom) / (top - bottom)
    const zone = position > 0.55 ? 'premium' : position < 0.45 ? 'discount' : 'equilibrium'
    return { zone, equilibrium, position }
  })
}

export function ote(candles, params) {
  const { swingLeft = 5, swingRight = 5, from = 0.618, to = 0.79 } = params
  const { high, low, close } = candles
  const rows = legs(candles, params)
  let isValid = false
  let isEntered = false
  return columns(rows.length, swingLeft + swingRight, { value: 0, top: null, bottom: null }, i => {
    if (!rows[i]) return {}
    const { start, end, isChanged } = rows[i]
    if (isChanged) {
      isValid = true
      isEntered = false
    }
    const ends = [start.price, end.price]
    if (close[i] > Math.max(...ends) || close[i] < Math.min(...ends)) isValid = false
    if (!isValid) return {}
    const zone = [from, to].map(share => end.price + share * (start.price - end.price))
    const [top, bottom] = [Math.max(...zone), Math.min(...zone)]
    const isEntry = !isEntered && low[i] <= top && high[i] >= bottom
    if (isEntry) isEntered = true
    return { value: isEntry ? 100 * end.side : 0, top, bottom }
  })
}

export function retracements(candles, params) {
  const { swingLeft = 5, swingRight = 5 } = params
  const rows = legs(candles, params)
  const empty = { direction: 0, current: null, deepest: null }
  return columns(rows.length, swingLeft + swingRight, empty, i => {
    if (!rows[i]) return {}
    const { start, end } = rows[i]
    const direction = 100 * end.side
    if (start.price === end.price) return { direction }
    const part = price => (100 * (end.price - price)) / (end.price - start.price)
    const later = (end.side > 0 ? candles.low : candles.high).slice(end.at + 1, i + 1)
    return { direction, current: part(candles.close[i]), deepest: Math.max(...later.map(part)) }
  })
}

const spans = [
  ['volatile', {}],
  ['daily', { swingLeft: 2, swingRight: 3 }],
  ['shapes', { swingLeft: 1, swingRight: 1 }],
]
const breaks = [
  ['volatile', {}],
  ['daily', { swingLeft: 2, swingRight: 3, breakOn: 'wick' }],
  ['shapes', { swingLeft: 1, swingRight: 1 }],
  ['shapes', { swingLeft: 1, swingRight: 1, breakOn: 'wick' }],
]
const equals = [
  ['volatile', {}],
  ['penny', { swingLeft: 2, swingRight: 1, toleranceATR: 0.5, atrPeriod: 30 }],
  ['shapes', { swingLeft: 1, swingRight: 2, toleranceATR: 0.5, atrPeriod: 1 }],
  ['daily', { swingLeft: 3, swingRight: 2, toleranceATR: 0.3, atrPeriod: 5 }],
]

const defined = (compute, cases) => ({ source: 'definition', compute, cases })

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  swings: defined(swings, spans),
  fractals: defined(fractals, [
    ['volatile', {}],
    ['daily', { left: 4, right: 1 }],
    ['shapes', { left: 1, right: 3 }],
  ]),
  zigzag: defined(zigzag, [
    ['volatile', {}],
    ['volatile', { deviation: 2, source: 'close' }],
    ['daily', { deviation: 3, deviationType: 'atr', atrPeriod: 10 }],
    ['shapes', { deviation: 1, deviationType: 'atr', source: 'close' }],
  ]),
  bos: defined(eventsOf('bos'), breaks),
  choch: defined(eventsOf('choch'), breaks),
  marketstructure: defined(marketstructure, breaks),
  liquiditysweeps: defined(liquiditysweeps, spans),
  equalhighslows: defined(equalhighslows, equals),
  liquiditypools: defined(liquiditypools, equals),
  premiumdiscount: defined(premiumdiscount, spans),
  ote: defined(ote, [
    ['volatile', {}],
    ['daily', { swingLeft: 2, swingRight: 3, from: 0.5, to: 0.618 }],
    ['shapes', { swingLeft: 1, swingRight: 1, from: 0.7, to: 0.9 }],
  ]),
  retracements: defined(retracements, spans),
}
