// Definitions of zones, levels, ranges and sessions. A column is an array of numbers; a missing value is NaN.
// Events are found over the whole market first, each with the candle at which it is known, and then replayed.

const indices = column => column.map((_, i) => i)
const rowsToColumns = (names, rows) =>
  Object.fromEntries(names.map((name, k) => [name, rows.map(row => row[k])]))

/** Wilder's ATR: the mean of the first ranges, which begin at the second candle, then his smoothing. */
function averageRange({ high, low, close }, period) {
  const ranges = indices(close).map(i =>
    i === 0 ? 0 : Math.max(high[i], close[i - 1]) - Math.min(low[i], close[i - 1]),
  )
  const out = close.map(() => NaN)
  for (let i = period; i < close.length; i++) {
    out[i] =
      i === period
        ? ranges.slice(1, period + 1).reduce((sum, range) => sum + range, 0) / period
        : (out[i - 1] * (period - 1) + ranges[i]) / period
  }
  return out
}

/** The candles that stand out above (side 1) or below (−1) their neighbours; of equal ones the newest. */
function swings(column, left, right, side) {
  const found = []
  for (let j = left; j + right < column.length; j++) {
    const before = column.slice(j - left, j)
    const after = column.slice(j + 1, j + right + 1)
    if (before.every(x => side * x <= side * column[j]) && after.every(x => side * x < side * column[j]))
      found.push({ at: j, known: j + right, price: column[j], side })
  }
  return found
}

/** The candle at which a zone ends: the first after `zone.known` whose price lies beyond its far side. */
function endOf({ known, side, top, bottom }, lowest, highest) {
  for (let i = known + 1; i < lowest.length; i++) {
    if (side > 0 ? lowest[i] < bottom : highest[i] > top) return i
  }
  return Infinity
}

/**
 * Zones in the order in which they appear, with the candle at which each ends. A zone ends if prices leave it. The
 * oldest of 16 valid zones also ends if another one appears (`isForgotten`).
 */
function followed(zones, lowest, highest) {
  const out = zones.map(zone => ({ ...zone, end: endOf(zone, lowest, highest), isForgotten: false }))
  for (const [k, { known }] of out.entries()) {
    const valid = out.slice(0, k).filter(zone => zone.end > known)
    if (valid.length === 16) Object.assign(valid[0], { end: known, isForgotten: true })
  }
  return out
}

/** Zones that are still valid at candle i, in their given order. */
const validAt = (zones, i) => zones.filter(zone => zone.known <= i && i < zone.end)

/** The columns value, top and bottom of zones that end at `end`. */
function zoneColumns(count, zones, lookback) {
  const rows = Array.from({ length: count }, (_, i) => {
    if (i < lookback) return [NaN, NaN, NaN, NaN]
    const newest = validAt(zones, i).at(-1)
    const fresh = zones.filter(zone => zone.known === i).at(-1)
    return [fresh ? 100 * fresh.side : 0, newest?.top ?? NaN, newest?.bottom ?? NaN, newest?.volume ?? NaN]
  })
  return rowsToColumns(['value', 'top', 'bottom', 'volume'], rows)
}

/** The zones that closes go through, from then on with the other side. */
function inverted(zones, close) {
  const turned = followed(zones, close, close)
    .filter(({ end, isForgotten }) => end < Infinity && !isForgotten)
    .map((zone, order) => ({ ...zone, order, known: zone.end, side: -zone.side }))
    .sort((a, b) => a.known - b.known || a.order - b.order)
  return followed(turned, close, close)
}

function gaps({ high, low, close }, minGapATR, atrPeriod) {
  const atr = averageRange({ high, low, close }, atrPeriod)
  return indices(close).flatMap(i => {
    if (i < Math.max(2, atrPeriod)) return []
    const up = low[i] - high[i - 2]
    const down = low[i - 2] - high[i]
    if (up > 0 && up >= minGapATR * atr[i]) return [{ known: i, side: 1, top: low[i], bottom: high[i - 2] }]
    if (down > 0 && down >= minGapATR * atr[i])
      return [{ known: i, side: -1, top: low[i - 2], bottom: high[i] }]
    return []
  })
}

/** Fair value gaps, open until a candle trades beyond their far side. */
export function fvg(candles, { minGapATR = 0.5, atrPeriod = 14 }) {
  const { high, low, close } = candles
  const lookback = Math.max(2, atrPeriod)
  const zones = followed(gaps(candles, minGapATR, atrPeriod), low, high)
  const { value, top, bottom } = zoneColumns(close.length, zones, lookback)
  return {
    value,
    top,
    bottom,
    openGaps: indices(close).map(i => (i < lookback ? NaN : validAt(zones, i).length)),
  }
}

/** Fair value gaps that a close went through. */
export function ifvg(candles, { minGapATR = 0.5, atrPeriod = 14 }) {
  const zones = inverted(gaps(candles, minGapATR, atrPeriod), candles.close)
  const { value, top, bottom } = zoneColumns(candles.close.length, zones, Math.max(2, atrPeriod))
  return { value, top, bottom }
}

/** The blocks of one side: for each swing the first close beyond it before the next swing is known. */
function blocksOf({ open, high, low, close, volume }, left, right, side, isFailure) {
  const own = swings(side > 0 ? high : low, left, right, side)
  const others = swings(side > 0 ? low : high, left, right, -side)
  const against = side > 0 ? low : high
  return own.flatMap((swing, k) => {
    const until = own[k + 1]?.known ?? close.length
    const breaking = indices(close).find(
      i => i >= swing.known && i < until && side * close[i] > side * swing.price,
    )
    if (breaking === undefined) return []
    let extreme = swing.at
    for (let i = swing.at; i < breaking; i++) if (side * against[i] < side * against[extreme]) extreme = i
    let block = extreme
    while (block >= swing.at && !(side * close[block] < side * open[block])) block--
    if (block < swing.at) return []
    const opposite = others.filter(other => other.known < swing.known).at(-1)
    if (isFailure && !(opposite && side * against[extreme] >= side * opposite.price)) return []
    return [{ known: breaking, side, top: high[block], bottom: low[block], volume: volume[block] }]
  })
}

const allBlocks = (candles, left, right, isFailure) =>
  [1, -1].flatMap(side => blocksOf(candles, left, right, side, isFailure)).sort((a, b) => a.known - b.known)

/** The last candle against a move that breaks a swing, until a candle trades beyond it. */
export function orderblocks(candles, { swingLeft = 5, swingRight = 5 }) {
  const zones = allBlocks(candles, swingLeft, swingRight, false)
  return zoneColumns(candles.close.length, followed(zones, candles.low, candles.high), swingLeft + swingRight)
}

/** Order blocks that a close went through. */
export function breakerblocks(candles, { swingLeft = 5, swingRight = 5 }) {
  const zones = inverted(allBlocks(candles, swingLeft, swingRight, false), candles.close)
  const { value, top, bottom } = zoneColumns(candles.close.length, zones, swingLeft + swingRight)
  return { value, top, bottom }
}

/** Order blocks of moves that start without a new extreme. */
export function mitigationblocks(candles, { swingLeft = 5, swingRight = 5 }) {
  const zones = allBlocks(candles, swingLeft, swingRight, true)
  const { value, top, bottom } = zoneColumns(
    candles.close.length,
    followed(zones, candles.low, candles.high),
    swingLeft + swingRight,
  )
  return { value, top, bottom }
}

/** Long wicks at swings, until a close beyond the wick. */
export function rejectionblocks(candles, { swingLeft = 5, swingRight = 5, wickRatio = 0.6 }) {
  const { open, high, low, close } = candles
  const wicks = [1, -1]
    .flatMap(side => swings(side > 0 ? high : low, swingLeft, swingRight, side))
    .map(({ at, known, side }) => {
      const body = side > 0 ? Math.max(open[at], close[at]) : Math.min(open[at], close[at])
      const end = side > 0 ? high[at] : low[at]
      const size = Math.abs(end - body)
      return { at, known, side: -side, size, top: Math.max(end, body), bottom: Math.min(end, body) }
    })
    .filter(({ at, size }) => size > 0 && size >= wickRatio * (high[at] - low[at]))
    .sort((a, b) => a.known - b.known || a.size - b.size || a.side - b.side)
  const longest = wicks.filter((wick, k) => wicks[k + 1]?.known !== wick.known)
  const zones = followed(longest, close, close)
  const { value, top, bottom } = zoneColumns(close.length, zones, swingLeft + swingRight)
  return { value, top, bottom }
}

/** Neighbouring bodies that do not touch, of candles whose wicks do. */
export function volumeimbalance({ open, high, low, close }) {
  const zones = indices(close).flatMap(i => {
    if (i === 0) return []
    const [bottom, top] = [Math.min(open[i], close[i]), Math.max(open[i], close[i])]
    const [under, over] = [Math.min(open[i - 1], close[i - 1]), Math.max(open[i - 1], close[i - 1])]
    if (bottom > over && low[i] <= high[i - 1]) return [{ known: i, side: 1, top: bottom, bottom: over }]
    if (top < under && high[i] >= low[i - 1]) return [{ known: i, side: -1, top: under, bottom: top }]
    return []
  })
  const { value, top, bottom } = zoneColumns(close.length, followed(zones, low, high), 1)
  return { value, top, bottom }
}

/** The calendar day, week (by its Monday) or month of a time, as text. */
function spanOf(time, anchor) {
  const date = new Date(time * 1000)
  if (anchor === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return date.toISOString().slice(0, anchor === 'month' ? 7 : 10)
}

/** The gap between the last close of a day or week and the first open of the next. */
export function openinggap({ timestamp, open, high, low, close }, { anchor = 'day' }) {
  const spans = timestamp.map(time => spanOf(time, anchor))
  const starts = indices(close).filter(i => i > 0 && spans[i] !== spans[i - 1] && open[i] !== close[i - 1])
  const rows = indices(close).map(i => {
    if (i === 0) return [NaN, NaN, NaN, NaN]
    const start = starts.filter(s => s <= i).at(-1)
    if (start === undefined) return [0, NaN, NaN, false]
    const before = close[start - 1]
    const isUp = open[start] > before
    const isFilled = indices(close).some(
      k => k >= start && k <= i && (isUp ? low[k] <= before : high[k] >= before),
    )
    return [
      start !== i ? 0 : isUp ? 100 : -100,
      Math.max(before, open[start]),
      Math.min(before, open[start]),
      isFilled,
    ]
  })
  return rowsToColumns(['value', 'top', 'bottom', 'filled'], rows)
}

/** The extremes of the calendar day, week or month before. */
export function previoushighlow({ timestamp, high, low }, { anchor = 'day' }) {
  const spans = timestamp.map(time => spanOf(time, anchor))
  const names = [...new Set(spans)]
  const opening = new Date(timestamp[0] * 1000).toISOString()
  const isFirstWhole = opening === `${anchor === 'month' ? `${names[0]}-01` : names[0]}T00:00:00.000Z`
  const rows = indices(high).map(i => {
    const before = names[names.indexOf(spans[i]) - 1]
    if (!before || (before === names[0] && !isFirstWhole)) return [NaN, NaN, false, false]
    const top = Math.max(...high.filter((_, k) => spans[k] === before))
    const bottom = Math.min(...low.filter((_, k) => spans[k] === before))
    const running = indices(high).filter(k => k <= i && spans[k] === spans[i])
    return [top, bottom, running.some(k => high[k] > top), running.some(k => low[k] < bottom)]
  })
  return rowsToColumns(['high', 'low', 'brokenHigh', 'brokenLow'], rows)
}

/** The range of the running or last session of fixed UTC hours. */
export function sessions({ timestamp, high, low }, { session = 'london' }) {
  const [opening, closing] = { asia: [0, 9], london: [7, 16], newyork: [12, 21] }[session]
  const hourOf = time => new Date(time * 1000).getUTCHours()
  const dayOf = time => new Date(time * 1000).toISOString().slice(0, 10)
  const isIn = timestamp.map(time => hourOf(time) >= opening && hourOf(time) < closing)
  const isAtOpening = timestamp[0] % 86_400 === opening * 3600
  const rows = indices(high).map(i => {
    const last = isIn.lastIndexOf(true, i)
    if (last < 0) return [isIn[i], NaN, NaN]
    const day = dayOf(timestamp[last])
    const members = indices(high).filter(k => k <= i && isIn[k] && dayOf(timestamp[k]) === day)
    if (members[0] === 0 && !isAtOpening) return [isIn[i], NaN, NaN]
    return [isIn[i], Math.max(...members.map(k => high[k])), Math.min(...members.map(k => low[k]))]
  })
  return rowsToColumns(['active', 'high', 'low'], rows)
}

/** Exponential average that starts with the mean of its first window. */
function exponential(column, period) {
  const out = column.map(() => NaN)
  for (let i = period - 1; i < column.length; i++) {
    out[i] =
      i === period - 1
        ? column.slice(0, period).reduce((sum, x) => sum + x, 0) / period
        : out[i - 1] + (2 / (period + 1)) * (column[i] - out[i - 1])
  }
  return out
}

/** The newest swings as levels, and closes through them with rising volume. */
export function supportresistance(
  { high, low, close, volume },
  { swingLeft = 5, swingRight = 5, volumeThreshold = 20 },
) {
  const tops = swings(high, swingLeft, swingRight, 1)
  const bottoms = swings(low, swingLeft, swingRight, -1)
  const lookback = Math.max(swingLeft + swingRight, 9)
  const fast = exponential(volume, 5)
  const slow = exponential(volume, 10)
  const rows = indices(close).map(i => {
    const known = list => list.filter(swing => swing.known <= i).at(-1)?.price ?? NaN
    const [support, resistance] = [known(bottoms), known(tops)]
    const isBusy = (100 * (fast[i] - slow[i])) / slow[i] > volumeThreshold
    const isUp = close[i] > resistance && close[i - 1] <= resistance
    const isDown = close[i] < support && close[i - 1] >= support
    return [support, resistance, i < lookback ? NaN : !isBusy ? 0 : isUp ? 100 : isDown ? -100 : 0]
  })
  return rowsToColumns(['support', 'resistance', 'breakValue'], rows)
}

/** The line of one side at each candle up to its break. */
function lines({ high, low, close }, left, right, side) {
  const found = swings(side > 0 ? high : low, left, right, side)
  const value = close.map(() => NaN)
  const isBroken = close.map(() => false)
  for (const [k, newer] of found.entries()) {
    const older = found[k - 1]
    if (!older || !(side * newer.price < side * older.price)) continue
    const slope = (newer.price - older.price) / (newer.at - older.at)
    for (let i = newer.known; i < (found[k + 1]?.known ?? close.length); i++) {
      value[i] = newer.price + slope * (i - newer.at)
      isBroken[i] = side * close[i] > side * value[i]
      if (isBroken[i]) break
    }
  }
  return { value, isBroken }
}

/** The falling line through the last two swing highs and the rising one through the last two swing lows. */
export function trendlines(candles, { swingLeft = 5, swingRight = 5 }) {
  const upper = lines(candles, swingLeft, swingRight, 1)
  const lower = lines(candles, swingLeft, swingRight, -1)
  return {
    upper: upper.value,
    lower: lower.value,
    breakValue: indices(candles.close).map(i =>
      i < swingLeft + swingRight ? NaN : upper.isBroken[i] ? 100 : lower.isBroken[i] ? -100 : 0,
    ),
  }
}

/** Boxes after a new high that the following candles do not reach. */
export function darvasbox({ high, low, close }, { period = 5 }) {
  const lookback = 2 * period - 2
  const isNewHigh = indices(high).map(i => i >= period && high[i] > Math.max(...high.slice(i - period, i)))
  const rows = high.map(() => [NaN, NaN, 0])
  for (let i = 0; i < lookback; i++) rows[i][2] = NaN
  for (const n of indices(high).filter(i => isNewHigh[i])) {
    const known = n + period - 2
    if (known >= high.length || high.slice(n + 1, known + 1).some(x => x >= high[n])) continue
    const bottom = Math.min(...low.slice(known - period + 1, known + 1))
    const leaving =
      indices(close).find(i => i >= known && (close[i] > high[n] || close[i] < bottom)) ?? Infinity
    for (let i = known; i < high.length; i++)
      rows[i] =
        i > leaving ? [NaN, NaN, 0] : [high[n], bottom, i < leaving ? 0 : close[i] > high[n] ? 100 : -100]
  }
  return rowsToColumns(['top', 'bottom', 'breakValue'], rows)
}

/** Ranges in which the closes are a few ATRs apart, until a close leaves them. */
export function consolidation(candles, { period = 20, widthATR = 2, atrPeriod = 14 }) {
  const { high, low, close } = candles
  const atr = averageRange(candles, atrPeriod)
  const lookback = Math.max(period - 1, atrPeriod)
  const rows = close.map((_, i) => (i < lookback ? [NaN, NaN, NaN, NaN] : [false, NaN, NaN, 0]))
  for (let i = lookback; i < close.length; i++) {
    const window = column => column.slice(i - period + 1, i + 1)
    if (Math.max(...window(close)) - Math.min(...window(close)) > widthATR * atr[i]) continue
    const top = Math.max(...window(high))
    const bottom = Math.min(...window(low))
    const leaving = close.findIndex((price, k) => k > i && (price > top || price < bottom))
    const end = leaving < 0 ? close.length : leaving
    for (let k = i; k < end; k++) rows[k] = [true, top, bottom, 0]
    if (leaving >= 0) rows[leaving] = [false, top, bottom, close[leaving] > top ? 100 : -100]
    i = end
  }
  return rowsToColumns(['inside', 'top', 'bottom', 'breakValue'], rows)
}

/** Cases of the members that only have the spans of a swing. */
const swingCases = [
  ['volatile', {}],
  ['penny', { swingLeft: 2, swingRight: 2 }],
  ['shapes', { swingLeft: 1, swingRight: 3 }],
  ['daily', { swingLeft: 20, swingRight: 1 }],
]

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  fvg: {
    source: 'definition: gaps of three candles, each followed until a candle trades beyond it',
    compute: fvg,
    cases: [
      ['shapes', {}],
      ['daily', { minGapATR: 0, atrPeriod: 1 }],
      ['shapes', { minGapATR: 0.8, atrPeriod: 100 }],
    ],
  },
  ifvg: {
    source:
      'definition: gaps of three candles, each followed until a close beyond it, and again as its opposite',
    compute: ifvg,
    cases: [
      ['shapes', {}],
      ['daily', { minGapATR: 0, atrPeriod: 1 }],
      ['shapes', { minGapATR: 0.8, atrPeriod: 100 }],
    ],
  },
  orderblocks: {
    source: 'definition: for each swing the first close beyond it and the last candle against the move',
    compute: orderblocks,
    cases: swingCases,
  },
  breakerblocks: {
    source: 'definition: order blocks, each followed until a close beyond it, and again as its opposite',
    compute: breakerblocks,
    cases: swingCases,
  },
  mitigationblocks: {
    source: 'definition: order blocks of moves that start without a new extreme',
    compute: mitigationblocks,
    cases: swingCases,
  },
  rejectionblocks: {
    source: 'definition: wicks of swings, each followed until a close beyond it',
    compute: rejectionblocks,
    cases: [
      ['volatile', {}],
      ['shapes', { swingLeft: 2, swingRight: 1, wickRatio: 0.3 }],
      ['penny', { swingLeft: 1, swingRight: 3, wickRatio: 0 }],
    ],
  },
  volumeimbalance: {
    source: 'definition: bodies that do not touch, each zone followed until a candle trades beyond it',
    compute: volumeimbalance,
    cases: [
      ['daily', {}],
      ['shapes', {}],
    ],
  },
  openinggap: {
    source: 'definition: the last close of a calendar day or week against the next open',
    compute: openinggap,
    cases: [
      ['daily', {}],
      ['daily', { anchor: 'week' }],
      ['penny', { anchor: 'day' }],
    ],
  },
  previoushighlow: {
    source: 'definition: the extremes of the calendar day, week or month before',
    compute: previoushighlow,
    cases: [
      ['penny', {}],
      ['volatile', { anchor: 'week' }],
      ['daily', { anchor: 'month' }],
    ],
  },
  sessions: {
    source: 'definition: the extremes of the candles of a session by their UTC hour',
    compute: sessions,
    cases: [
      ['penny', {}],
      ['penny', { session: 'newyork' }],
      ['volatile', { session: 'asia' }],
    ],
  },
  supportresistance: {
    source: 'definition: the newest swings, closes through them, and two averages of the volume',
    compute: supportresistance,
    cases: [
      ['volatile', {}],
      ['penny', { swingLeft: 2, swingRight: 2, volumeThreshold: 5 }],
      ['daily', { swingLeft: 1, swingRight: 6, volumeThreshold: -100 }],
    ],
  },
  trendlines: {
    source: 'definition: the line through each pair of neighbouring swings, up to its break',
    compute: trendlines,
    cases: swingCases,
  },
  darvasbox: {
    source:
      'definition: each new high that the next candles do not reach, up to the close that leaves the box',
    compute: darvasbox,
    cases: [
      ['volatile', {}],
      ['daily', { period: 3 }],
      ['penny', { period: 9 }],
    ],
  },
  consolidation: {
    source: 'definition: windows whose closes are a few ATRs apart, each followed until a close leaves it',
    compute: consolidation,
    cases: [
      ['volatile', {}],
      ['penny', { period: 5, widthATR: 2.2, atrPeriod: 5 }],
      ['daily', { period: 10, widthATR: 3.5, atrPeriod: 50 }],
    ],
  },
}
