// Definitions of trends, written in the plainest way, without regard to speed. A column is an array of numbers; a missing
// value is NaN.

const empty = length => new Array(length).fill(NaN)
const sum = values => values.reduce((total, value) => total + value, 0)
const over = (a, b, otherwise) => a.map((value, i) => (b[i] === 0 ? otherwise : value / b[i]))
const mean = values => sum(values) / values.length

/** `calculate` of the last `period` candles of a column, NaN while there are fewer. */
const windows = (column, period, calculate) =>
  column.map((_, i) => (i < period - 1 ? NaN : calculate(column.slice(i - period + 1, i + 1))))

/** Exponential smoothing of a column that may begin with NaN, seeded with the mean of its first `period` values. */
function smooth(column, period, weight) {
  const out = empty(column.length)
  const seed = column.findIndex(value => !Number.isNaN(value)) + period - 1
  for (let i = seed; i < column.length; i++)
    out[i] =
      i === seed
        ? mean(column.slice(seed - period + 1, seed + 1))
        : out[i - 1] + weight * (column[i] - out[i - 1])
  return out
}
const wilder = (column, period) => smooth(column, period, 1 / period)

/** The column drawn `count` candles later. */
const drawnAhead = (column, count) => column.map((_, i) => (i < count ? NaN : column[i - count]))

const trueRanges = ({ high, low, close }) =>
  high.map((top, i) =>
    i === 0 ? NaN : Math.max(top - low[i], Math.abs(top - close[i - 1]), Math.abs(low[i] - close[i - 1])),
  )

/** Smoothed moving average: the mean of the first values, then one `period`th of each new one. */
export const smoothed = ({ close }, { period = 7 }) => ({ value: wilder(close, period) })

/** Donchian channels: highest high, lowest low and the middle between them. */
export function donchian({ high, low }, { period = 20 }) {
  const upper = windows(high, period, prices => Math.max(...prices))
  const lower = windows(low, period, prices => Math.min(...prices))
  return { upper, middle: upper.map((top, i) => (top + lower[i]) / 2), lower }
}

/**
 * Ichimoku. Lines that are drawn ahead are listed at the candle over which they are drawn, next to the values computed
 * there.
 */
export function ichimoku(
  candles,
  { conversionPeriod = 9, basePeriod = 26, spanPeriod = 52, displacement = 26 },
) {
  const conversion = donchian(candles, { period: conversionPeriod }).middle
  const base = donchian(candles, { period: basePeriod }).middle
  const spanA = conversion.map((value, i) => (value + base[i]) / 2)
  const spanB = donchian(candles, { period: spanPeriod }).middle
  return {
    conversion,
    base,
    spanA,
    spanB,
    currentSpanA: drawnAhead(spanA, displacement),
    currentSpanB: drawnAhead(spanB, displacement),
    laggingSpanA: drawnAhead(spanA, 2 * displacement),
    laggingSpanB: drawnAhead(spanB, 2 * displacement),
  }
}

/** Keltner channels: the exponential average of the close and true ranges, averaged by Wilder, around it. */
export function keltner(candles, { period = 20, multiplier = 2, atrLength = 10 }) {
  const middle = smooth(candles.close, period, 2 / (period + 1))
  const range = wilder(trueRanges(candles), atrLength)
  return {
    lower: middle.map((value, i) => value - multiplier * range[i]),
    middle,
    upper: middle.map((value, i) => value + multiplier * range[i]),
  }
}

/** Vortex: the ways from low to next high and from high to next low, in units of the true ranges. */
export function vortex(candles, { period = 14 }) {
  const { high, low } = candles
  const up = high.map((top, i) => (i === 0 ? NaN : Math.abs(top - low[i - 1])))
  const down = low.map((bottom, i) => (i === 0 ? NaN : Math.abs(bottom - high[i - 1])))
  const range = windows(trueRanges(candles), period, sum)
  return {
    plus: over(windows(up, period, sum), range, 0),
    minus: over(windows(down, period, sum), range, 0),
  }
}

/** Williams alligator: smoothed averages of the middles, drawn ahead. */
export function alligator(
  { high, low },
  { jawsLength = 13, teethLength = 8, lipsLength = 5, jawsOffset = 8, teethOffset = 5, lipsOffset = 3 },
) {
  const middles = high.map((top, i) => (top + low[i]) / 2)
  return {
    valueJaws: drawnAhead(wilder(middles, jawsLength), jawsOffset),
    valueTeeth: drawnAhead(wilder(middles, teethLength), teethOffset),
    valueLips: drawnAhead(wilder(middles, lipsLength), lipsOffset),
  }
}

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  donchianchannels: {
    source: 'definition: extremes of the window, the newest candle included',
    compute: donchian,
    cases: [
      ['penny', {}],
      ['volatile', { period: 1 }],
      ['daily', { period: 300 }],
    ],
  },
  ichimoku: {
    source: 'definition: middles of three windows, drawn ahead',
    compute: ichimoku,
    cases: [
      ['daily', {}],
      ['penny', { conversionPeriod: 1, basePeriod: 2, spanPeriod: 3, displacement: 0 }],
      ['volatile', { conversionPeriod: 40, basePeriod: 20, spanPeriod: 10, displacement: 170 }],
    ],
  },
  keltnerchannels: {
    source: 'definition: exponential average and Wilder’s average true range',
    compute: keltner,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1, multiplier: 0, atrLength: 1 }],
      ['daily', { period: 50, multiplier: 1.5, atrLength: 250 }],
    ],
  },
  smma: {
    source: 'definition: Wilder’s mean seeded with a simple mean',
    compute: smoothed,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1 }],
      ['daily', { period: 200 }],
    ],
  },
  vortex: {
    source: 'definition: sums over the window divided by its true ranges',
    compute: vortex,
    cases: [
      ['volatile', {}],
      ['penny', { period: 5 }],
      ['daily', { period: 250 }],
      ['still', {}],
    ],
  },
  williamsalligator: {
    source: 'definition: smoothed averages of the middles, drawn ahead',
    compute: alligator,
    cases: [
      ['volatile', {}],
      [
        'penny',
        { jawsLength: 1, teethLength: 2, lipsLength: 9, jawsOffset: 0, teethOffset: 250, lipsOffset: 1 },
      ],
      [
        'daily',
        {
          jawsLength: 200,
          teethLength: 100,
          lipsLength: 50,
          jawsOffset: 30,
          teethOffset: 20,
          lipsOffset: 90,
        },
      ],
    ],
  },
}
