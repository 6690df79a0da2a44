// Definitions of how far volume moves prices, and of other measures that need their own windows.
import { highest, lowest, mean, sum, unzip, windows } from '../columns.js'

const changes = column => column.map((x, i) => (i === 0 ? NaN : x - column[i - 1]))
const returnsOf = column =>
  column.map((x, i) => (i === 0 || column[i - 1] === 0 ? NaN : x / column[i - 1] - 1))
const isFlat = values => values.every(value => value === values[0])

/** The mean product of the distances from the means. */
const covariance = (x, y) => {
  const [a, b] = [mean(x), mean(y)]
  return mean(x.map((value, k) => (value - a) * (y[k] - b)))
}
/** `calculate` of the last `period` elements of two columns. */
const windowsOfTwo = (x, y, period, calculate) =>
  x.map((_, i) => {
    const [a, b] = [x, y].map(column => (i < period - 1 ? [NaN] : column.slice(i - period + 1, i + 1)))
    return [...a, ...b].some(Number.isNaN) ? NaN : calculate(a, b)
  })

function amihud({ close, volume }, { period = 20 }) {
  const terms = returnsOf(close).map((r, i) => {
    const turnover = close[i] * volume[i]
    return turnover === 0 ? NaN : Math.abs(r) / turnover
  })
  return { value: windows(terms, period, mean) }
}

function roll({ close }, { period = 20 }) {
  const d = changes(close)
  const before = d.map((_, i) => (i === 0 ? NaN : d[i - 1]))
  return {
    value: windowsOfTwo(d, before, period, (a, b) => {
      const k = covariance(a, b)
      return k < 0 ? 2 * Math.sqrt(-k) : 0
    }),
  }
}

function kyle({ close, volume }, { period = 20 }) {
  const d = changes(close)
  const signed = d.map((change, i) => Math.sign(change) * volume[i])
  return {
    value: windowsOfTwo(signed, d, period, (q, changes) =>
      isFlat(q) ? NaN : covariance(q, changes) / covariance(q, q),
    ),
  }
}

function pressure({ open, high, low, close, volume }, { period = 5 }) {
  const terms = close.map((c, i) =>
    high[i] === low[i] ? 0 : ((c - open[i]) / (high[i] - low[i])) * volume[i],
  )
  return {
    value: windows(terms, period, values => {
      const total = sum(values.map(Math.abs))
      return total === 0 ? 0 : (100 * sum(values)) / total
    }),
  }
}

function goldenzone({ high, low }, { period = 60, first = 0.5, second = 0.618 }) {
  const tops = highest(high, period)
  const bottoms = lowest(low, period)
  const at = share => tops.map((top, i) => top - (top - bottoms[i]) * share)
  return { upper: at(Math.min(first, second)), lower: at(Math.max(first, second)) }
}

function projection({ open, high, low, close }) {
  return unzip(
    close.map((_, i) => {
      if (i === 0) return { high: NaN, low: NaN }
      const [o, h, l, c] = [open, high, low, close].map(column => column[i - 1])
      const x = c > o ? (2 * h + l + c) / 2 : c < o ? (h + 2 * l + c) / 2 : (h + l + 2 * c) / 2
      return { high: x - l, low: x - h }
    }),
  )
}

const theilOf = values => {
  const centre = mean(values)
  return values.some(value => value <= 0)
    ? NaN
    : mean(
        values.map(value => {
          const d = (value - centre) / centre
          return (1 + d) * Math.log1p(d) - d
        }),
      )
}

function shortfall({ close }, { period = 252, confidence = 0.95 }) {
  const share = (1 - confidence) * period
  const whole = Math.round(share)
  const count = Math.max(1, Math.abs(share - whole) < 1e-9 ? whole : Math.ceil(share))
  return {
    value: windows(returnsOf(close), period, returns =>
      mean(returns.toSorted((a, b) => a - b).slice(0, count)),
    ),
  }
}

function halflife({ close }, { period = 50 }) {
  const before = close.map((_, i) => (i === 0 ? NaN : close[i - 1]))
  return {
    value: windowsOfTwo(before, changes(close), period - 1, (x, d) => {
      const k = isFlat(x) ? NaN : covariance(x, d) / covariance(x, x)
      return k < 0 ? -Math.LN2 / k : NaN
    }),
  }
}

const described = (source, compute, ...sets) => ({
  source: `definition: ${source}`,
  compute,
  cases: [['volatile', {}], ...sets.map((set, k) => [k === 0 ? 'penny' : 'volatile', set])],
})

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  amihud: described('returns divided by turnover', amihud, { period: 1 }, { period: 350 }),
  rollspread: described('the covariance of neighbouring changes', roll, { period: 3 }, { period: 350 }),
  kyleslambda: described('the slope of changes on volume with a sign', kyle, { period: 3 }, { period: 350 }),
  tdpressure: described('bodies in ranges times volume', pressure, { period: 2 }, { period: 350 }),
  goldenzone: described(
    'shares of the range below its high',
    goldenzone,
    { period: 2, first: 1.5, second: 0.25 },
    { period: 350, first: 0, second: 1 },
  ),
  tdrangeprojection: {
    source: 'definition: the sum of the prices of the candle before, one of them twice',
    compute: projection,
    cases: [
      ['volatile', {}],
      ['shapes', {}],
      ['penny', {}],
    ],
  },
  theil: {
    source: 'definition: the mean of shares times their logarithms',
    compute: ({ close }, { period = 14 }) => ({ value: windows(close, period, theilOf) }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 3 }],
      ['volatile', { period: 350 }],
      ['still', {}],
    ],
  },
  expectedshortfall: described(
    'the mean of the lowest returns',
    shortfall,
    { period: 20, confidence: 0.9 },
    { period: 350, confidence: 0.5 },
    { period: 1, confidence: 0.99 },
  ),
  halflife: described('the slope of changes on values', halflife, { period: 10 }, { period: 350 }),
}
