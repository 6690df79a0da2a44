// Definitions of patterns of candles that leave gaps between them.
import { mean } from '../columns.js'
import { before, gapping, only, plain } from '../signals.js'

const isDoji = ({ open, high, low, close }, i) =>
  Math.abs(close[i] - open[i]) <= 0.1 * mean(before(i, 10, k => high[k] - low[k]))

function twoBlack(candles) {
  const { open, high, low, close } = candles
  return only(candles, 2, i =>
    close[i - 1] < open[i - 1] && high[i - 1] < low[i - 2] && close[i] < open[i] && high[i] < high[i - 1]
      ? -100
      : 0,
  )
}

function gappingDoji(candles) {
  const { high, low } = candles
  return only(candles, 10, i => {
    if (!isDoji(candles, i)) return 0
    return low[i] > high[i - 1] ? 100 : high[i] < low[i - 1] ? -100 : 0
  })
}

function collapsing(candles) {
  const { open, high, low, close } = candles
  return only(candles, 12, i =>
    close[i - 2] > open[i - 2] &&
    isDoji(candles, i - 1) &&
    high[i - 1] < low[i - 2] &&
    close[i] < open[i] &&
    high[i] < low[i - 1]
      ? -100
      : 0,
  )
}

/** The shortest island that lies beyond a gap on both sides decides. */
function island(candles, { maxLength = 10 }) {
  const { high, low } = candles
  return only(candles, 2, i => {
    for (let k = 1; k <= maxLength && i - k - 1 >= 0; k++) {
      const top = Math.max(...before(i, k, n => high[n]))
      const bottom = Math.min(...before(i, k, n => low[n]))
      if (top < low[i] && top < low[i - k - 1]) return 100
      if (bottom > high[i] && bottom > high[i - k - 1]) return -100
    }
    return 0
  })
}

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  twoblackgapping: plain('Bulkowski: a gap down and a lower high', twoBlack, gapping),
  gappingdoji: plain('Bulkowski: a doji beyond a gap', gappingDoji, gapping),
  collapsingdojistar: plain('Bulkowski: a doji and a black candle, each below a gap', collapsing, gapping),
  islandreversal: {
    ...plain('candles beyond a gap on both sides', island),
    cases: [
      ...gapping.map(market => [market, {}]),
      ...[1, 3, 100].map(maxLength => ['shapes', { maxLength }]),
    ],
  },
}
