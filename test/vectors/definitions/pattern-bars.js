// Definitions of candles that are judged by their ranges, shadows, bodies and volume.
import { mean } from '../columns.js'
import { before, described, only, plain, signals } from '../signals.js'

function longShadow(candles, percent, isUpper) {
  const { open, high, low, close } = candles
  return only(candles, 0, i => {
    const least = ((high[i] - low[i]) / 100) * percent
    const upper = high[i] - Math.max(open[i], close[i])
    const lower = Math.min(open[i], close[i]) - low[i]
    if (isUpper) return upper > least ? -100 : 0
    return lower > least ? 100 : 0
  })
}

const scenario = candles => {
  const { high, low } = candles
  return only(candles, 1, i => {
    const isUp = high[i] > high[i - 1]
    const isDown = low[i] < low[i - 1]
    if (isUp && isDown) return 3
    return isUp ? 2 : isDown ? -2 : 1
  })
}

const rangeOf =
  ({ high, low }) =>
  i =>
    high[i] - low[i]

function narrow(candles, { period = 7 }) {
  const { high, low } = candles
  const range = rangeOf(candles)
  const value = signals(candles, period - 1, i =>
    before(i, period - 1, range).every(other => other - range(i) > 1e-12 * Math.abs(high[i])) ? 100 : 0,
  )
  const inside = signals(candles, period - 1, i =>
    value[i] === 100 && high[i] < high[i - 1] && low[i] > low[i - 1] ? 100 : 0,
  )
  return { value, inside }
}

function wide(candles, { period = 7 }) {
  const range = rangeOf(candles)
  return only(candles, period - 1, i =>
    before(i, period - 1, range).every(other => range(i) - other > 1e-12 * Math.abs(candles.high[i]))
      ? 100
      : 0,
  )
}

function fourPrice(candles, { period = 10, limit = 0.05 }) {
  const { open, high, low, close } = candles
  return only(candles, period, i => {
    const most = limit * mean(before(i, period, rangeOf(candles)))
    const upper = high[i] - Math.max(open[i], close[i])
    const lower = Math.min(open[i], close[i]) - low[i]
    return [Math.abs(close[i] - open[i]), upper, lower].every(part => part < most) ? 100 : 0
  })
}

function big(candles, { period = 10, factor = 1.4 }) {
  const { open, close } = candles
  return only(candles, period, i => {
    const least = factor * mean(before(i, period, k => Math.abs(close[k] - open[k])))
    return close[i] - open[i] > least ? 100 : open[i] - close[i] > least ? -100 : 0
  })
}

function kicker(candles) {
  const { open, close } = candles
  const body = i => Math.abs(close[i] - open[i])
  return only(candles, 11, i => {
    const areLong = [i - 1, i].every(k => body(k) > mean(before(k, 10, body)))
    const sides = [i - 1, i].map(k => Math.sign(close[k] - open[k]))
    if (!areLong || sides[0] !== -sides[1]) return 0
    return sides[1] * (open[i] - open[i - 1]) >= 0 ? 100 * sides[1] : 0
  })
}

function keyReversal(candles, { period = 1 }) {
  const { high, low, close } = candles
  return only(candles, period, i => {
    if (before(i, period, k => low[k]).every(other => low[i] < other) && close[i] > close[i - 1]) return 100
    return before(i, period, k => high[k]).every(other => high[i] > other) && close[i] < close[i - 1]
      ? -100
      : 0
  })
}

function pocketPivot(candles, { period = 10 }) {
  const { close, volume } = candles
  return only(candles, period + 1, i => {
    const bar = Math.max(...before(i, period, k => (close[k] < close[k - 1] ? volume[k] : 0)))
    return close[i] > close[i - 1] && volume[i] > bar ? 100 : 0
  })
}

/** The middle of the body before decides; the first candle of the bearish form is long. */
function stomach(candles) {
  const { open, close } = candles
  const body = i => Math.abs(close[i] - open[i])
  return only(candles, 11, i => {
    const first = i - 1
    const middle = (open[first] + close[first]) / 2
    if (close[first] < open[first] && close[i] > open[i] && open[i] >= middle && close[i] >= middle)
      return 100
    const isLong = body(first) > mean(before(first, 10, body))
    return close[first] > open[first] && isLong && open[i] < middle && close[i] <= middle ? -100 : 0
  })
}

function newPriceLines(candles, { lines = 8 }) {
  const { high, low } = candles
  const steps = Array.from({ length: lines - 1 }, (_, k) => k)
  return only(candles, lines - 1, i => {
    if (steps.every(k => high[i - k] > high[i - k - 1])) return 100
    return steps.every(k => low[i - k] < low[i - k - 1]) ? -100 : 0
  })
}

function reversalBar(candles) {
  const { high, low, close } = candles
  return only(candles, 1, i => {
    const middle = (high[i] + low[i]) / 2
    if (low[i] < low[i - 1] && close[i] > middle) return 100
    return high[i] > high[i - 1] && close[i] < middle ? -100 : 0
  })
}

function turtleSoup(candles, { period = 20, separation = 4 }) {
  const { high, low, close } = candles
  return only(candles, period, i => {
    const lows = before(i, period, k => low[k])
    const highs = before(i, period, k => high[k])
    const [bottom, top] = [Math.min(...lows), Math.max(...highs)]
    const lowAge = period - lows.lastIndexOf(bottom)
    const highAge = period - highs.lastIndexOf(top)
    const isUp = low[i] < bottom && close[i] > bottom && lowAge >= separation
    const isDown = high[i] > top && close[i] < top && highAge >= separation
    return isUp === isDown ? 0 : isUp ? 100 : -100
  })
}

function squeeze(candles) {
  const { open, high, low, close } = candles
  const isInside = i => high[i] < high[i - 1] && low[i] > low[i - 1]
  return only(candles, 2, i =>
    isInside(i) && isInside(i - 1) ? 100 * Math.sign(open[i - 2] - close[i - 2]) + 0 : 0,
  )
}

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  longuppershadow: described(
    'the share of the upper shadow in the range',
    (candles, { percent = 75 }) => longShadow(candles, percent, true),
    { percent: 50 },
    { percent: 0 },
  ),
  longlowershadow: described(
    'the share of the lower shadow in the range',
    (candles, { percent = 75 }) => longShadow(candles, percent, false),
    { percent: 50 },
    { percent: 0 },
  ),
  thestrat: plain('which extremes of the candle before are passed', scenario),
  narrowrange: described('the smallest range of several', narrow, { period: 4 }, { period: 2 }),
  widerange: described('the largest range of several', wide, { period: 4 }, { period: 2 }),
  fourpricedoji: described(
    'no part longer than a share of the mean range',
    fourPrice,
    { period: 4, limit: 0.25 },
    { period: 1, limit: 0.5 },
  ),
  bigcandle: described(
    'the body against the mean body',
    big,
    { period: 4, factor: 2 },
    { period: 1, factor: 0 },
  ),
  kicker: plain('two long candles that open away from each other', kicker),
  keyreversal: described(
    'a new extreme and a close the other way',
    keyReversal,
    { period: 5 },
    { period: 20 },
  ),
  pocketpivot: described(
    'the volume of a rise against that of the falls before',
    pocketPivot,
    { period: 1 },
    { period: 50 },
  ),
  stomach: plain('Bulkowski: open and close against the middle of the body before', stomach),
  newpricelines: described(
    'Bulkowski: higher highs or lower lows in a row',
    newPriceLines,
    { lines: 4 },
    { lines: 2 },
  ),
  reversalbar: plain('Williams: a new extreme and a close in the other half', reversalBar),
  turtlesoup: described(
    'Connors and Raschke: a breakout that fails on its own candle',
    turtleSoup,
    { period: 5, separation: 3 },
    { period: 8, separation: 1 },
    { period: 3, separation: 3 },
    { period: 2, separation: 9 },
  ),
  squeezealert: plain('Morris: two ranges inside one another', squeeze),
}
