// Definitions of returns and of what is lost since a peak.

/** What `calculate` says of each value and the one `period` candles before, or with `cumulative` the first one. */
const changes = ({ close }, { period = 1, cumulative = false }, calculate) => ({
  value: close.map((now, i) => {
    if (!cumulative && i < period) return NaN
    return calculate(now, cumulative ? close[0] : close[i - period])
  }),
})
const logOf = (now, before) => (Math.min(now, before) > 0 ? Math.log(now / before) : NaN)
const shareOf = (now, before) => (before === 0 ? NaN : now / before - 1)

function drawdown({ close }) {
  const peaks = close.map((_, i) => Math.max(...close.slice(0, i + 1)))
  return {
    value: close.map((c, i) => peaks[i] - c),
    percent: close.map((c, i) => (peaks[i] === 0 ? NaN : 1 - c / peaks[i])),
    log: close.map((c, i) => (c > 0 ? Math.log(peaks[i] / c) : NaN)),
  }
}

const cases = [
  ['volatile', {}],
  ['penny', { cumulative: true }],
  ['daily', { period: 7 }],
  ['belowzero', { cumulative: true }],
  ['volatile', { period: 350 }],
]

/** Where each vector comes from, its function, and its cases: a market and the parameters that are not the default. */
export const vectors = {
  logreturn: {
    source: 'definition: the logarithm of the quotient',
    compute: (candles, p) => changes(candles, p, logOf),
    cases,
  },
  percentreturn: {
    source: 'definition: the change as a fraction',
    compute: (candles, p) => changes(candles, p, shareOf),
    cases,
  },
  drawdown: {
    source: 'definition: the distance from the highest value so far',
    compute: drawdown,
    cases: [
      ['volatile', {}],
      ['daily', {}],
      ['belowzero', {}],
    ],
  },
}
