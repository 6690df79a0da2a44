// Definitions of volume indicators, written in the plainest way, without regard to speed. A column is an array of numbers; a
// missing value is NaN.

const sum = values => values.reduce((total, value) => total + value, 0)

/** Chaikin Money Flow: the sum of close location · volume over the sum of the volume of `period` candles. */
export function cmf({ high, low, close, volume }, { period = 20 }) {
  const flow = close.map((price, i) =>
    high[i] === low[i] ? 0 : (volume[i] * (2 * price - high[i] - low[i])) / (high[i] - low[i]),
  )
  const value = close.map((_, i) => {
    if (i < period - 1) return NaN
    const traded = sum(volume.slice(i - period + 1, i + 1))
    return traded === 0 ? 0 : sum(flow.slice(i - period + 1, i + 1)) / traded
  })
  return { value }
}

/** Volume: negative when the close is below the open. */
export const signedVolume = ({ open, close, volume }) => ({
  value: volume.map((traded, i) => (close[i] < open[i] ? -traded : traded)),
})

/**
 * Volume split: buyers get the share of the range below the close, sellers the share above it. Without a range,
 * neither gets any.
 */
export function volumesplit({ high, low, close, volume }) {
  const below = close.map((price, i) => (high[i] > low[i] ? (price - low[i]) / (high[i] - low[i]) : 0))
  const above = close.map((price, i) => (high[i] > low[i] ? (high[i] - price) / (high[i] - low[i]) : 0))
  return {
    valueTotal: volume,
    valueBuy: volume.map((traded, i) => traded * below[i]),
    valueSell: volume.map((traded, i) => traded * above[i]),
    percentBuy: below.map(share => share * 100),
    percentSell: above.map(share => share * 100),
  }
}

/** The calendar day in UTC of the candle's open, or the Monday of its week, or its month, as a text. */
export function anchorOf(timestamp, anchorPeriod) {
  const day = new Date(timestamp * 1000)
  if (anchorPeriod === 'week') day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7))
  return day.toISOString().slice(0, anchorPeriod === 'month' ? 7 : 10)
}

/** VWAP over all candles of the same anchor up to each candle; no value if they have no volume. */
export function vwap({ timestamp, high, low, close, volume }, { anchorPeriod = 'week' }) {
  const anchors = timestamp.map(time => anchorOf(time, anchorPeriod))
  const value = anchors.map((anchor, i) => {
    const first = anchors.indexOf(anchor)
    const traded = volume.slice(first, i + 1)
    const paid = traded.map((size, k) => (size * (high[first + k] + low[first + k] + close[first + k])) / 3)
    return sum(paid) / sum(traded)
  })
  return { value }
}

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  cmf: {
    source: 'definition: Σ close location · volume / Σ volume',
    compute: cmf,
    cases: [
      ['volatile', {}],
      ['daily', { period: 1 }],
      ['penny', { period: 9 }],
      ['shapes', { period: 300 }],
    ],
  },
  volume: {
    source: 'definition: the volume, negative on a red candle',
    compute: signedVolume,
    cases: [
      ['volatile', {}],
      ['shapes', {}],
    ],
  },
  volumesplit: {
    source: 'definition: by where the close lies in the range',
    compute: volumesplit,
    cases: [['shapes', {}]],
  },
  vwap: {
    source: 'definition: mean typical price since the anchor',
    compute: vwap,
    cases: [
      ['volatile', {}],
      ['daily', {}],
      ['penny', { anchorPeriod: 'session' }],
      ['daily', { anchorPeriod: 'session' }],
      ['daily', { anchorPeriod: 'month' }],
      ['volatile', { anchorPeriod: 'month' }],
    ],
  },
}
