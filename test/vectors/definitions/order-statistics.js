// Definitions of statistics that are read off the sorted values of a window.
import { mean, windows } from '../columns.js'

const ascending = values => values.toSorted((a, b) => a - b)

const medianOf = values => {
  const sorted = ascending(values)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/** The value at a position in ascending order, counted from 0. Between two positions, interpolates linearly. */
function valueAt(values, place) {
  const sorted = ascending(values)
  const k = Math.floor(place)
  return k + 1 >= sorted.length ? sorted[k] : sorted[k] + (place - k) * (sorted[k + 1] - sorted[k])
}

const quantileOf = (values, quantile) => valueAt(values, (values.length - 1) * quantile)

function nearestRank(values, percentage) {
  const n = values.length
  const rank = Math.ceil((percentage * n) / 100)
  return ascending(values)[Math.min(Math.max(rank, 1), n) - 1]
}

/** Places counted from 1 here. */
function interpolated(values, percentage) {
  const n = values.length
  const place = (percentage * n) / 100 + 0.5
  const exact = Math.abs(place - Math.round(place)) < 1e-9 ? Math.round(place) : place
  return valueAt(values, Math.min(Math.max(exact, 1), n) - 1)
}

function modeOf(values) {
  const count = value => values.filter(other => other === value).length
  const most = Math.max(...values.map(count))
  return Math.min(...values.filter(value => count(value) === most))
}

const distanceMedian = values => {
  const centre = medianOf(values)
  return medianOf(values.map(value => Math.abs(value - centre)))
}

const rankOf = (values, compare) => {
  const now = values.at(-1)
  const before = values.slice(0, -1)
  const count = before.filter(value => (compare === 'less' ? value < now : value <= now)).length
  return (100 * count) / before.length
}

/** The sorted values, and the number of values cut off on either side. */
const cutOff = (values, percent) => [ascending(values), Math.floor((values.length * percent) / 100)]
function trimmed(values, { percent = 10 }) {
  const [sorted, cut] = cutOff(values, percent)
  return mean(sorted.slice(cut, values.length - cut))
}
function winsorized(values, { percent = 10 }) {
  const [sorted, cut] = cutOff(values, percent)
  const [low, high] = [sorted[cut], sorted[values.length - 1 - cut]]
  return mean(sorted.map(value => Math.min(Math.max(value, low), high)))
}

const ofClose = (source, standard, calculate, cases) => ({
  source,
  compute: ({ close }, { period = standard, ...others }) => ({
    value: windows(close, period, values => calculate(values, others)),
  }),
  cases,
})

const periods = [
  ['volatile', {}],
  ['daily', {}],
  ['penny', { period: 2 }],
  ['shapes', { period: 9 }],
  ['volatile', { period: 350 }],
]
const percentages = [
  ['volatile', {}],
  ['shapes', { period: 10, percentage: 30 }],
  ['penny', { period: 7, percentage: 0 }],
  ['daily', { period: 2, percentage: 100 }],
  ['volatile', { period: 350, percentage: 12.5 }],
]

const shares = [
  ['volatile', {}],
  ['shapes', { period: 10, percent: 30 }],
  ['penny', { period: 7, percent: 0 }],
  ['daily', { period: 350, percent: 49 }],
]

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  median: ofClose('definition: the middle of the sorted values', 30, medianOf, periods),
  percentilenearest: ofClose(
    'definition: the value at the rank, rounded up',
    15,
    (values, { percentage = 50 }) => nearestRank(values, percentage),
    percentages,
  ),
  percentilelinear: ofClose(
    'definition: as Pine interpolates',
    15,
    (values, { percentage = 50 }) => interpolated(values, percentage),
    percentages,
  ),
  quantile: ofClose(
    'definition: as numpy.quantile interpolates',
    30,
    (values, { quantile = 0.5 }) => quantileOf(values, quantile),
    [
      ['volatile', {}],
      ['shapes', { period: 10, quantile: 0.3 }],
      ['penny', { period: 7, quantile: 0 }],
      ['daily', { period: 2, quantile: 1 }],
      ['volatile', { period: 350, quantile: 0.875 }],
    ],
  ),
  iqr: ofClose(
    'definition: the distance of two quantiles',
    20,
    values => quantileOf(values, 0.75) - quantileOf(values, 0.25),
    periods,
  ),
  mode: ofClose('definition: the most frequent value, the smallest of several', 14, modeOf, periods),
  medianabsdev: ofClose('definition: the median distance from the median', 5, distanceMedian, periods),
  percentrank: {
    source: 'definition: the share of the values before that are not above the newest',
    compute: ({ close }, { period = 100, compare = 'lessorequal' }) => ({
      value: windows(close, period + 1, values => rankOf(values, compare)),
    }),
    cases: [
      ['volatile', {}],
      ['shapes', { period: 1 }],
      ['shapes', { period: 13, compare: 'less' }],
      ['penny', { period: 350, compare: 'less' }],
    ],
  },
  trimmedmean: ofClose('definition: the mean without both ends', 20, trimmed, shares),
  winsorizedmean: ofClose('definition: the mean with both ends drawn in', 20, winsorized, shares),
}
