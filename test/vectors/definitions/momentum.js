// Definitions of momentum indicators, written in the plainest way, without regard to speed. A column is an array of numbers;
// a missing value is NaN.

/** The `period` values up to candle `i`, or none if one of them is missing or there are fewer. */
const window = (column, i, period) => {
  const values = i < period - 1 ? [] : column.slice(i - period + 1, i + 1)
  return values.some(Number.isNaN) ? [] : values
}
const sum = values => values.reduce((total, value) => total + value, 0)
const mean = values => sum(values) / values.length
const simple = (column, period) => column.map((_, i) => mean(window(column, i, period)))
const middle = ({ high, low }) => high.map((top, i) => (top + low[i]) / 2)

/** Accelerator oscillator: the awesome oscillator less its simple average over five candles. */
export function accosc(candles, { lengthSlow = 34, lengthFast = 5 }) {
  const fast = simple(middle(candles), lengthFast)
  const slow = simple(middle(candles), lengthSlow)
  const awesome = fast.map((value, i) => value - slow[i])
  const smooth = simple(awesome, 5)
  return { value: awesome.map((value, i) => value - smooth[i]) }
}

/** Choppiness index: how much longer the way was than the box that holds it, on a scale from 0 to 100. */
export function chop({ high, low, close }, { period = 14 }) {
  const ranges = high.map((top, i) =>
    i === 0 ? NaN : Math.max(top, close[i - 1]) - Math.min(low[i], close[i - 1]),
  )
  return {
    value: ranges.map((_, i) => {
      if (i < period) return NaN
      const way = sum(ranges.slice(i - period + 1, i + 1))
      const top = Math.max(...high.slice(i - period + 1, i + 1))
      const bottom = Math.min(...low.slice(i - period + 1, i + 1))
      if (top === bottom) return 100
      return (100 * Math.log10(way / (top - bottom))) / Math.log10(period)
    }),
  }
}

/** Coppock curve: the linearly weighted average of two rates of change in percent, added up. */
export function coppockcurve({ close }, { wmaPeriod = 10, longRoc = 14, shortRoc = 11 }) {
  const change = (i, ago) => (i < ago ? NaN : (100 * (close[i] - close[i - ago])) / close[i - ago])
  const changes = close.map((_, i) => change(i, longRoc) + change(i, shortRoc))
  return {
    value: changes.map((_, i) => {
      const values = window(changes, i, wmaPeriod)
      if (values.length === 0) return NaN
      return sum(values.map((value, k) => value * (k + 1))) / sum(values.map((_, k) => k + 1))
    }),
  }
}

/** Ease of movement: the way of the midpoint by the box ratio, averaged; a candle without volume has none. */
export function eom(candles, { period = 14, divisor = 10_000 }) {
  const { high, low, volume } = candles
  const middles = middle(candles)
  const eases = middles.map((now, i) => {
    if (i === 0) return NaN
    if (volume[i] === 0) return 0
    return ((now - middles[i - 1]) * (high[i] - low[i])) / (volume[i] / divisor)
  })
  return { value: simple(eases, period) }
}

/** Price direction: the mean of the colours of the last candles, 1 for a rising one and −1 for a falling one. */
export function pd({ open, close }, { period = 5 }) {
  return {
    value: simple(
      close.map((price, i) => Math.sign(price - open[i])),
      period,
    ),
  }
}

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  accosc: {
    source: 'definition: awesome oscillator minus its mean over five candles',
    compute: accosc,
    cases: [
      ['volatile', {}],
      ['penny', { lengthSlow: 2, lengthFast: 1 }],
      ['daily', { lengthSlow: 50, lengthFast: 7 }],
      ['daily', { lengthSlow: 200 }],
    ],
  },
  chop: {
    source: 'definition: sum of true ranges over the distance of the highest high and the lowest low',
    compute: chop,
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 30 }],
      ['daily', { period: 200 }],
      ['still', {}],
    ],
  },
  coppockcurve: {
    source: 'definition: weighted mean of two rates of change',
    compute: coppockcurve,
    cases: [
      ['volatile', {}],
      ['penny', { wmaPeriod: 1, longRoc: 1, shortRoc: 1 }],
      ['daily', { wmaPeriod: 5, longRoc: 20, shortRoc: 4 }],
      ['daily', { wmaPeriod: 100, longRoc: 60, shortRoc: 30 }],
    ],
  },
  eom: {
    source: 'definition: mean of the move of the midpoint over the box ratio',
    compute: eom,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1, divisor: 1 }],
      ['daily', { period: 5, divisor: 1e8 }],
      ['daily', { period: 200 }],
    ],
  },
  pd: {
    source: 'definition: mean of the colours of candles',
    compute: pd,
    cases: [
      ['volatile', {}],
      ['shapes', { period: 1 }],
      ['shapes', { period: 14 }],
      ['daily', { period: 200 }],
    ],
  },
}
