// Definitions of counts and extremes of windows and of the whole history.
import { from, highest, lowest, sum, windows } from '../columns.js'

const crossunder = ({ close, open }) => ({
  value: close.map((a, i) => (i === 0 ? NaN : Number(a < open[i] && close[i - 1] >= open[i - 1]))),
})

const inOrder = (column, period, isStep) => ({
  value: windows(column, period + 1, values =>
    Number(values.every((value, k) => k === 0 || isStep(values[k - 1], value))),
  ),
})

/** Minus how many candles ago the extreme was, the oldest of equal ones. */
const ages = (column, period, extreme) => ({
  value: windows(column, period, values => values.indexOf(extreme(...values)) - (period - 1)),
})

function streak({ close }) {
  const value = close.map((_, i) => {
    const side = k => Math.sign(close[k] - close[k - 1])
    let first = i
    while (first > 1 && side(first - 1) === side(i)) first--
    return side(i) * (i - first + 1)
  })
  return { value: from(1, value) }
}

const shadows = {
  midbody: ({ open, close }) => open.map((o, i) => (o + close[i]) / 2),
  realbody: ({ open, close }) => open.map((o, i) => close[i] - o),
  uppershadow: ({ open, high, close }) => open.map((o, i) => high[i] - Math.max(o, close[i])),
  lowershadow: ({ open, low, close }) => open.map((o, i) => Math.min(o, close[i]) - low[i]),
}

const differences = column => column.map((x, i) => (i === 0 ? NaN : x - column[i - 1]))

const periods = [
  ['volatile', {}],
  ['shapes', {}],
  ['penny', { period: 2 }],
  ['daily', { period: 350 }],
]
const runs = [
  ['volatile', {}],
  ['penny', { period: 1 }],
  ['daily', { period: 5 }],
]
const plain = [
  ['volatile', {}],
  ['shapes', {}],
  ['penny', {}],
]

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  crossunder: { source: 'definition: from not below to below', compute: crossunder, cases: plain },
  cumsum: {
    source: 'definition: the sum of all values',
    compute: ({ close }) => ({ value: close.map((_, i) => sum(close.slice(0, i + 1))) }),
    cases: plain,
  },
  rising: {
    source: 'definition: each value above the one before',
    compute: ({ close }, { period = 3 }) => inOrder(close, period, (before, now) => now > before),
    cases: runs,
  },
  falling: {
    source: 'definition: each value below the one before',
    compute: ({ close }, { period = 3 }) => inOrder(close, period, (before, now) => now < before),
    cases: runs,
  },
  streak: { source: 'definition: candles in a row', compute: streak, cases: plain },
  highestbars: {
    source: 'definition: the place of the oldest highest value',
    compute: ({ high }, { period = 14 }) => ages(high, period, Math.max),
    cases: periods,
  },
  lowestbars: {
    source: 'definition: the place of the oldest lowest value',
    compute: ({ low }, { period = 14 }) => ages(low, period, Math.min),
    cases: periods,
  },
  range: {
    source: 'definition: the highest less the lowest value',
    compute: ({ close }, { period = 14 }) => {
      const tops = highest(close, period)
      const bottoms = lowest(close, period)
      return { value: tops.map((top, i) => top - bottoms[i]) }
    },
    cases: periods,
  },
  alltimehigh: {
    source: 'definition: the highest value so far',
    compute: ({ high }) => ({ value: high.map((_, i) => Math.max(...high.slice(0, i + 1))) }),
    cases: plain,
  },
  alltimelow: {
    source: 'definition: the lowest value so far',
    compute: ({ low }) => ({ value: low.map((_, i) => Math.min(...low.slice(0, i + 1))) }),
    cases: plain,
  },
  ...Object.fromEntries(
    Object.entries(shadows).map(([name, part]) => [
      name,
      {
        source: 'definition: a part of the candle',
        compute: candles => ({ value: part(candles) }),
        cases: plain,
      },
    ]),
  ),
  acceleration: {
    source: 'definition: the difference of the differences',
    compute: ({ close }) => ({ value: differences(differences(close)) }),
    cases: plain,
  },
  jerk: {
    source: 'definition: the difference of the differences of the differences',
    compute: ({ close }) => ({ value: differences(differences(differences(close))) }),
    cases: plain,
  },
  normalize: {
    source: 'definition: the place between the lowest and the highest value',
    compute: ({ close }, { period = 14 }) => ({
      value: windows(close, period, values => {
        const [top, bottom] = [Math.max(...values), Math.min(...values)]
        return top === bottom ? 0.5 : (values.at(-1) - bottom) / (top - bottom)
      }),
    }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 3 }],
      ['daily', { period: 350 }],
      ['still', {}],
    ],
  },
}
