// Definitions of levels from an earlier span of the calendar, or from an earlier window. A column is an array of numbers; a
// missing value is NaN.

const iso = time => new Date(time * 1000).toISOString()

/** The first day of the span in which a time lies, as a text. */
const firstDays = {
  day: time => iso(time).slice(0, 10),
  week: time => {
    const date = new Date(time * 1000)
    date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
    return date.toISOString().slice(0, 10)
  },
  month: time => `${iso(time).slice(0, 7)}-01`,
  year: time => `${iso(time).slice(0, 4)}-01-01`,
}

/** The span for a timeframe: up to 15 minutes, the rest of the day, below a week, from a week on. */
function spanOf(anchor, seconds) {
  if (anchor !== 'auto') return anchor
  if (seconds <= 15 * 60) return 'day'
  if (seconds < 86_400) return 'week'
  return seconds < 7 * 86_400 ? 'month' : 'year'
}

/**
 * The previous span of each candle as `{ open, high, low, close, now }`, or null. `now` is the open of the candle's
 * own span. The first span of all counts only if it is complete at its start, unless `countsAny`.
 */
function spansBefore({ timestamp, open, high, low, close }, anchor, countsAny = false) {
  const distances = timestamp.slice(1).map((time, i) => time - timestamp[i])
  const keys = timestamp.map(firstDays[spanOf(anchor, Math.min(...distances))])
  const spans = [...new Set(keys)].map(key => {
    const first = keys.indexOf(key)
    const last = keys.lastIndexOf(key)
    return {
      isWhole: countsAny || first > 0 || iso(timestamp[0]) === `${key}T00:00:00.000Z`,
      key,
      open: open[first],
      high: Math.max(...high.slice(first, last + 1)),
      low: Math.min(...low.slice(first, last + 1)),
      close: close[last],
    }
  })
  return keys.map(key => {
    const k = spans.findIndex(span => span.key === key)
    return spans[k - 1]?.isWhole ? { ...spans[k - 1], now: spans[k].open } : null
  })
}

const around = (p, high, low) => ({
  r3: high + 2 * (p - low),
  r2: p + high - low,
  r1: 2 * p - low,
  p,
  s1: 2 * p - high,
  s2: p - high + low,
  s3: low - 2 * (high - p),
})

/** The levels of each family. */
const families = {
  standard: ({ high, low, close }) => around((high + low + close) / 3, high, low),
  woodie: ({ high, low, now }) => around((high + low + now + now) / 4, high, low),
  fibonacci: ({ high, low, close }) => {
    const p = (high + low + close) / 3
    const at = share => p + share * (high - low)
    return { r3: at(1), r2: at(0.618), r1: at(0.382), p, s1: at(-0.382), s2: at(-0.618), s3: at(-1) }
  },
  camarilla: ({ high, low, close }) => {
    const at = part => close + ((high - low) * 1.1) / part
    const p = (high + low + close) / 3
    return { r4: at(2), r3: at(4), r2: at(6), r1: at(12), p, s1: at(-12), s2: at(-6), s3: at(-4), s4: at(-2) }
  },
  demark: ({ open, high, low, close }) => {
    let x = high + low + 2 * close
    if (close < open) x = high + 2 * low + close
    if (close > open) x = 2 * high + low + close
    return { r1: x / 2 - low, p: x / 4, s1: x / 2 - high }
  },
  range: ({ high, low, close }) => {
    const pivot = (high + low + close) / 3
    const ends = [(high + low) / 2, 2 * pivot - (high + low) / 2]
    const [top, bottom] = [Math.max(...ends), Math.min(...ends)]
    return { pivot, top, bottom, width: (100 * (top - bottom)) / pivot }
  },
}

/** The pivot of a span and levels at multiples of its range, two for each of `rungs`: above and below. */
const ladder =
  (rungs, level) =>
  (candles, { anchor = 'day' }) =>
    columns(
      [...rungs.toReversed().map(k => `r${k}`), 'p', ...rungs.map(k => `s${k}`)],
      spansBefore(candles, anchor, true).map(span => {
        if (!span) return null
        const p = (span.high + span.low + span.close) / 3
        return { p, ...Object.assign({}, ...rungs.map(k => level(k, p, span.high, span.low))) }
      }),
    )
/** r3 = 2p + H − 2L and so on; only the second levels are p + H − L and p − (H − L). */
const traditional = ladder([1, 2, 3, 4, 5], (k, p, high, low) =>
  k === 2
    ? { r2: p + (high - low), s2: p - (high - low) }
    : {
        [`r${k}`]: k === 1 ? 2 * p - low : (k - 1) * p + high - (k - 1) * low,
        [`s${k}`]: k === 1 ? 2 * p - high : (k - 1) * p - ((k - 1) * high - low),
      },
)
const classic = ladder([1, 2, 3, 4], (k, p, high, low) =>
  k === 1
    ? { r1: 2 * p - low, s1: 2 * p - high }
    : { [`r${k}`]: p + (k - 1) * (high - low), [`s${k}`]: p - (k - 1) * (high - low) },
)
const spans = [
  ['daily', { anchor: 'month' }],
  ['penny', {}],
  ['volatile', {}],
  ['volatile', { anchor: 'week' }],
  ['volatile', { anchor: 'month' }],
]

const standardNames = ['r3', 'r2', 'r1', 'p', 's1', 's2', 's3']

const columns = (names, rows) =>
  Object.fromEntries(names.map(name => [name, rows.map(row => row?.[name] ?? NaN)]))

/** The named levels of a family. */
const levelsOf = (names, candles, family, anchor = 'auto') =>
  columns(
    names,
    spansBefore(candles, anchor).map(span => (span ? families[family](span) : null)),
  )

/** Standard levels of `period` candles, the newest of which is `offset` + 1 candles back. */
export function rollingpivots({ high, low, close }, { period = 20, offset = 0 }) {
  const rows = close.map((_, i) => {
    const end = i - offset
    if (end < period) return null
    return families.standard({
      high: Math.max(...high.slice(end - period, end)),
      low: Math.min(...low.slice(end - period, end)),
      close: close[end - 1],
    })
  })
  return columns(standardNames, rows)
}

const anchors = [
  ['daily', {}],
  ['penny', {}],
  ['penny', { anchor: 'day' }],
  ['volatile', { anchor: 'week' }],
  ['volatile', { anchor: 'month' }],
]

const ofFamily = (family, names, source) => ({
  source: `definition: ${source}`,
  compute: (candles, { anchor }) => levelsOf(names, candles, family, anchor),
  cases: anchors,
})

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  pivotpoints: {
    source: 'definition: levels of the span of the calendar before, as the timeframe or the anchor says',
    compute: (candles, { anchor, family = 'standard' }) => {
      const known = family === 'demark' ? ['r1', 'p', 's1'] : standardNames
      const levels = levelsOf(known, candles, family, anchor)
      const empty = candles.close.map(() => NaN)
      return Object.fromEntries(standardNames.map(name => [name, levels[name] ?? empty]))
    },
    cases: [
      ...anchors,
      ['rare', { anchor: 'year' }],
      ['daily', { family: 'fibonacci' }],
      ['daily', { family: 'camarilla', anchor: 'week' }],
      ['daily', { family: 'woodie' }],
    ],
  },
  pivotsfibonacci: ofFamily('fibonacci', standardNames, 'shares of the range around the pivot'),
  pivotscamarilla: ofFamily(
    'camarilla',
    ['r4', ...standardNames, 's4'],
    'parts of 1.1 ranges around the close',
  ),
  pivotswoodie: ofFamily('woodie', standardNames, 'floor levels around a pivot with the open of the span'),
  pivotsdemark: ofFamily('demark', ['r1', 'p', 's1'], 'the end that the span moved towards counts twice'),
  cpr: ofFamily('range', ['pivot', 'top', 'bottom', 'width'], 'the middle of the range and its mirror'),
  pivotstraditional: {
    source: 'definition: five levels around the pivot',
    compute: traditional,
    cases: spans,
  },
  pivotsclassic: {
    source: 'definition: multiples of the range around the pivot',
    compute: classic,
    cases: spans,
  },
  rollingpivots: {
    source: 'definition: floor levels of the window before',
    compute: rollingpivots,
    cases: [
      ['daily', {}],
      ['penny', { period: 1 }],
      ['volatile', { period: 5, offset: 3 }],
      ['volatile', { period: 250, offset: 60 }],
    ],
  },
}
