// Definitions of the candlestick patterns that TA-Lib does not have. They are written in the plainest way, without regard
// to speed. A column is an array of numbers; a missing value is NaN.
import { readFileSync } from 'node:fs'
import { mean } from '../columns.js'
import { before, signals } from '../signals.js'

const isWhite = ({ open, close }, i) => close[i] > open[i]
const isBlack = ({ open, close }, i) => close[i] < open[i]
const colour = (candles, i) => (isWhite(candles, i) ? 100 : isBlack(candles, i) ? -100 : 0)

/** A long candle and one of the other colour with an equal high (top) or low (bottom). */
function tweezers(candles, prices, firstIsWhite, value) {
  const { open, high, low, close } = candles
  return signals(candles, 11, i => {
    const first = i - 1
    const body = j => Math.abs(close[j] - open[j])
    const isLong = body(first) > mean(before(first, 10, body))
    const equal = 0.05 * mean(before(first, 5, j => high[j] - low[j]))
    const [former, latter] = firstIsWhite ? [isWhite, isBlack] : [isBlack, isWhite]
    const colours = former(candles, first) && latter(candles, i)
    return colours && isLong && Math.abs(prices[i] - prices[first]) <= equal ? value : 0
  })
}

const inside = ({ high, low }, outer, inner) => high[inner] < high[outer] && low[inner] > low[outer]

function pinbar(candles) {
  const { open, high, low, close } = candles
  return signals(candles, 0, i => {
    const range = high[i] - low[i]
    const upper = high[i] - Math.max(open[i], close[i])
    const lower = Math.min(open[i], close[i]) - low[i]
    if (!(range > 0)) return 0
    return upper >= (2 / 3) * range ? -100 : lower >= (2 / 3) * range ? 100 : 0
  })
}

const single = {
  tweezertop: candles => tweezers(candles, candles.high, true, -100),
  tweezerbottom: candles => tweezers(candles, candles.low, false, 100),
  insidebar: candles => signals(candles, 1, i => (inside(candles, i - 1, i) ? colour(candles, i) : 0)),
  outsidebar: candles => signals(candles, 1, i => (inside(candles, i, i - 1) ? colour(candles, i) : 0)),
  risingwindow: candles => signals(candles, 1, i => (candles.low[i] > candles.high[i - 1] ? 100 : 0)),
  fallingwindow: candles => signals(candles, 1, i => (candles.high[i] < candles.low[i - 1] ? -100 : 0)),
  pinbar,
}

const sourceOf = {
  tweezertop: 'Nison, Japanese Candlestick Charting Techniques (1991); a long first body',
  tweezerbottom: 'Nison, Japanese Candlestick Charting Techniques (1991); a long first body',
  insidebar: 'Crabel, Day Trading with Short Term Price Patterns and Opening Range Breakout (1990)',
  outsidebar: 'Edwards and Magee, Technical Analysis of Stock Trends (1948)',
  risingwindow: 'Nison, Japanese Candlestick Charting Techniques (1991)',
  fallingwindow: 'Nison, Japanese Candlestick Charting Techniques (1991)',
  pinbar: 'Pring, Pring on Price Patterns (2005); two thirds of the range',
}

/** The patterns of TA-Lib, in the order of their names; their vectors over `shapes` were computed by TA-Lib itself. */
const talib = (
  '2crows 3blackcrows 3inside 3linestrike 3outside 3starsinsouth 3whitesoldiers abandonedbaby advanceblock belthold ' +
  'breakaway closingmarubozu concealbabyswall counterattack darkcloudcover doji dojistar dragonflydoji engulfing ' +
  'eveningdojistar eveningstar gapsidesidewhite gravestonedoji hammer hangingman harami haramicross highwave hikkake ' +
  'hikkakemod homingpigeon identical3crows inneck invertedhammer kicking kickingbylength ladderbottom longleggeddoji ' +
  'longline marubozu matchinglow mathold morningdojistar morningstar onneck piercing rickshawman risefall3methods ' +
  'separatinglines shootingstar shortline spinningtop stalledpattern sticksandwich takuri tasukigap thrusting tristar ' +
  'unique3river upsidegap2crows xsidegap3methods'
).split(' ')

function talibSignals(name) {
  const { cases } = JSON.parse(readFileSync(new URL(`../${name}.json`, import.meta.url), 'utf8'))
  const { outputs } = cases.find(
    ({ market, params }) => market === 'shapes' && Object.keys(params).length === 0,
  )
  const { value } = outputs
  return 'runs' in value ? value.runs.flatMap(([each, count]) => Array(count).fill(each)) : value
}

/** Number of positive patterns, number of negative patterns, and their names; over the market `shapes` only. */
function candlepatterns(candles) {
  const columns = [
    ...talib.map(name => [name, talibSignals(name)]),
    ...Object.entries(single).map(([name, compute]) => [name, compute(candles)]),
  ]
  const over = (value, lookback = 14) => candles.close.map((_, i) => (i < lookback ? null : value(i)))
  return {
    bullish: over(i => columns.filter(([, column]) => column[i] > 0).length),
    bearish: over(i => columns.filter(([, column]) => column[i] < 0).length),
    patterns: over(i =>
      columns
        .filter(([, column]) => column[i])
        .map(([name]) => name)
        .join(','),
    ),
  }
}

/** Source, function and cases of each vector. A case is a market with the parameters that differ from the defaults. */
export const vectors = {
  ...Object.fromEntries(
    Object.entries(single).map(([name, compute]) => [
      name,
      {
        source: sourceOf[name],
        compute: candles => ({ value: compute(candles) }),
        cases: [
          ['shapes', {}],
          ['daily', {}],
        ],
      },
    ]),
  ),
  candlepatterns: {
    source: 'the vectors of TA-Lib 0.6 for its 61 patterns, and the definitions of the seven others',
    compute: candlepatterns,
    cases: [['shapes', {}]],
  },
}
