// Definitions of the patterns of Kaabar's Mastering Financial Pattern Recognition.
import { averageRange } from '../columns.js'
import { described, gapping, only, plain } from '../signals.js'

/** The market upside down. */
const upsideDown = ({ open, high, low, close }) => {
  const [negatedOpen, negatedHigh, negatedLow, negatedClose] = [open, low, high, close].map(column =>
    column.map(price => -price),
  )
  return { open: negatedOpen, high: negatedHigh, low: negatedLow, close: negatedClose }
}

/** 100 if `isUp` holds, −100 if it holds in the market upside down. */
const bothWays = (lookback, isUp) => candles => {
  const turned = upsideDown(candles)
  return only(candles, lookback, i => (isUp(candles, i) ? 100 : isUp(turned, i) ? -100 : 0))
}

function doubleTrouble(candles, { period = 10, multiplier = 2 }) {
  const { open, high, low, close } = candles
  const ranges = averageRange(candles, period)
  return only(candles, period + 1, i => {
    const [first, second] = [close[i - 1] - open[i - 1], close[i] - open[i]]
    if (!(high[i] - low[i] > multiplier * ranges[i - 1]) || !(Math.abs(second) > Math.abs(first))) return 0
    if (first > 0 && second > 0 && close[i] > close[i - 1]) return 100
    return first < 0 && second < 0 && close[i] < close[i - 1] ? -100 : 0
  })
}

const bottle = bothWays(
  1,
  ({ open, low, close }, i) =>
    close[i - 1] > open[i - 1] && close[i] > open[i] && open[i] === low[i] && open[i] < close[i - 1],
)

const slingshot = bothWays(3, ({ open, high, low, close }, i) => {
  const [a, b, d] = [i - 3, i - 2, i - 1]
  return (
    close[b] > open[b] &&
    close[b] > high[a] &&
    low[b] >= low[a] &&
    high[d] <= high[b] &&
    close[d] >= high[a] &&
    close[i] > open[i] &&
    low[i] <= high[a] &&
    close[i] > high[d] &&
    close[i] > high[b]
  )
})

const hPattern = bothWays(
  2,
  ({ open, high, low, close }, i) =>
    open[i - 1] === close[i - 1] &&
    close[i - 2] > open[i - 2] &&
    high[i - 2] < high[i - 1] &&
    close[i] > open[i] &&
    close[i] > close[i - 1] &&
    low[i] > low[i - 1],
)

/** The sign is against the run. */
function euphoria(candles) {
  const { open, close } = candles
  return only(candles, 2, i => {
    const bodies = [i - 2, i - 1, i].map(k => close[k] - open[k])
    const [x, y, z] = bodies.map(Math.abs)
    if (!(z > y && y > x)) return 0
    if (bodies.every(body => body < 0) && close[i] < close[i - 1] && close[i - 1] < close[i - 2]) return 100
    return bodies.every(body => body > 0) && close[i] > close[i - 1] && close[i - 1] > close[i - 2] ? -100 : 0
  })
}

const blockade = bothWays(3, ({ open, high, low, close }, i) => {
  const a = i - 3
  return (
    close[a] < open[a] &&
    close[i - 2] < open[a] &&
    [i - 2, i - 1, i].every(k => low[k] >= low[a] && low[k] <= close[a]) &&
    close[i] > open[i] &&
    close[i] > high[a]
  )
})

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  doubletrouble: described(
    'Kaabar: a second body that is larger and longer than usual',
    doubleTrouble,
    { period: 3, multiplier: 1.25 },
    { period: 1, multiplier: 0 },
  ),
  bottle: plain('Kaabar: an open at the end of the candle', bottle, gapping),
  slingshot: plain('Kaabar: a breakout, a return and a new start', slingshot, gapping),
  hpattern: plain('Kaabar: a candle without a body between two of one colour', hPattern, gapping),
  euphoria: plain('Kaabar: three growing bodies of one colour', euphoria),
  blockade: plain('Kaabar: three lows between a low and a close', blockade, gapping),
}
