// Rewrites test/vectors/<indicator>.json: what each indicator has to say about the markets next to them, computed by
// TA-Lib and Tulip, or by test/vectors/definitions.js where neither has the indicator.
//
//   node vectors.mjs              all of them
//   node vectors.mjs rsi macd     these only
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import tulind from 'tulind'
import { kdj, supertrend } from '../../test/vectors/definitions.js'

// The package is one native file, which only require can load.
const talib = createRequire(import.meta.url)('talib')

const vectors = new URL('../../test/vectors/', import.meta.url)

function readMarket(name) {
  const [header, ...rows] = readFileSync(new URL(`markets/${name}.csv`, vectors), 'utf8')
    .trim()
    .split('\n')
  return Object.fromEntries(
    header.split(',').map((column, k) => [column, rows.map(row => Number(row.split(',')[k]))]),
  )
}

/**
 * A TA-Lib function over whole columns: its outputs by TA-Lib's names, NaN before its first value. Columns may begin
 * with NaN; TA-Lib is given what comes after.
 */
function ta(name, columns, options = {}) {
  const lists = Object.values(columns)
  const { length } = lists[0]
  const start = Math.max(...lists.map(list => list.findIndex(value => !Number.isNaN(value))))
  const inputs = Object.fromEntries(Object.entries(columns).map(([key, list]) => [key, list.slice(start)]))
  const answer = talib.execute({ name, startIdx: 0, endIdx: length - start - 1, ...inputs, ...options })
  if (answer.error) throw new Error(`TA-Lib ${name}: ${JSON.stringify(answer.error)}`)
  // MACD with a signal period of 1 is such a case: TA-Lib miscounts and hands out memory that it never wrote.
  if (answer.nbElement > 0 && start + answer.begIndex + answer.nbElement !== length)
    throw new Error(`TA-Lib ${name} does not end at the last candle with ${JSON.stringify(options)}`)
  const lead = new Array(start + answer.begIndex).fill(NaN)
  return Object.fromEntries(
    Object.entries(answer.result).map(([output, list]) => [
      output,
      answer.nbElement === 0 ? new Array(length).fill(NaN) : [...lead, ...list.slice(0, answer.nbElement)],
    ]),
  )
}

const prices = ({ high, low, close }) => ({ high, low, close })
const candlesticks = ({ open, high, low, close }) => ({ open, high, low, close })
const source = name => `TA-Lib 0.6 ${name} through npm talib@1.1.6`

/** An indicator that is a TA-Lib function of the close with one period. */
const ofClose = (name, period) => ({
  source: source(name),
  compute: (candles, p) => ({
    value: ta(name, { inReal: candles.close }, { optInTimePeriod: p.period ?? period }).outReal,
  }),
})
const ofPrices = (name, period) => ({
  source: source(name),
  compute: (candles, p) => ({
    value: ta(name, prices(candles), { optInTimePeriod: p.period ?? period }).outReal,
  }),
})
const pattern = (name, options = () => ({})) => ({
  source: source(name),
  compute: (candles, p) => ({ value: ta(name, candlesticks(candles), options(p)).outInteger }),
})

// The defaults are written down once more here: a case without parameters holds the catalogue to them.
const indicators = {
  rsi: {
    ...ofClose('RSI', 14),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 5 }],
      ['daily', { period: 200 }],
    ],
  },
  ema: {
    ...ofClose('EMA', 30),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 9 }],
      ['daily', { period: 250 }],
    ],
  },
  sma: {
    ...ofClose('SMA', 30),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 7 }],
      ['daily', { period: 400 }],
    ],
  },
  wma: {
    ...ofClose('WMA', 30),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 7 }],
      ['daily', { period: 250 }],
    ],
  },
  max: {
    ...ofClose('MAX', 30),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 9 }],
      ['daily', { period: 300 }],
    ],
  },
  abs: {
    source: 'Tulip 0.8.4 abs through npm tulind@0.8.20',
    compute: async ({ close }) => ({ abs: (await tulind.indicators.abs.indicator([close], []))[0] }),
    cases: [
      ['volatile', {}],
      ['penny', {}],
      ['daily', {}],
    ],
  },
  macd: {
    source: source('MACD'),
    compute: ({ close }, { fastPeriod = 12, slowPeriod = 26, signalPeriod = 9 }) => {
      const answer = ta(
        'MACD',
        { inReal: close },
        { optInFastPeriod: fastPeriod, optInSlowPeriod: slowPeriod, optInSignalPeriod: signalPeriod },
      )
      return {
        valueMACD: answer.outMACD,
        valueMACDSignal: answer.outMACDSignal,
        valueMACDHist: answer.outMACDHist,
      }
    },
    cases: [
      ['volatile', {}],
      ['penny', { fastPeriod: 2, slowPeriod: 3, signalPeriod: 2 }],
      ['daily', { fastPeriod: 5, slowPeriod: 35, signalPeriod: 5 }],
      ['daily', { fastPeriod: 50, slowPeriod: 200, signalPeriod: 30 }],
    ],
  },
  stoch: {
    source: `${source('STOCH')}, SMA twice`,
    compute: (candles, { kPeriod = 5, dPeriod = 3, kSmooth = 3 }) => {
      const answer = ta('STOCH', prices(candles), {
        optInFastK_Period: kPeriod,
        optInSlowK_Period: kSmooth,
        optInSlowK_MAType: 0,
        optInSlowD_Period: dPeriod,
        optInSlowD_MAType: 0,
      })
      return { valueK: answer.outSlowK, valueD: answer.outSlowD }
    },
    cases: [
      ['volatile', {}],
      ['penny', { kPeriod: 14, dPeriod: 3, kSmooth: 1 }],
      ['daily', { kPeriod: 1, dPeriod: 1, kSmooth: 1 }],
      ['daily', { kPeriod: 100, dPeriod: 20, kSmooth: 10 }],
    ],
  },
  stochrsi: {
    source: `${source('RSI')} and STOCH of it, SMA twice`,
    compute: ({ close }, { kPeriod = 5, dPeriod = 3, rsiPeriod = 14, stochasticPeriod = 14 }) => {
      const rsi = ta('RSI', { inReal: close }, { optInTimePeriod: rsiPeriod }).outReal
      const answer = ta(
        'STOCH',
        { high: rsi, low: rsi, close: rsi },
        {
          optInFastK_Period: stochasticPeriod,
          optInSlowK_Period: kPeriod,
          optInSlowK_MAType: 0,
          optInSlowD_Period: dPeriod,
          optInSlowD_MAType: 0,
        },
      )
      return { valueFastK: answer.outSlowK, valueFastD: answer.outSlowD }
    },
    cases: [
      ['volatile', {}],
      ['penny', { kPeriod: 1, dPeriod: 3, rsiPeriod: 14, stochasticPeriod: 5 }],
      ['daily', { kPeriod: 1, dPeriod: 1, rsiPeriod: 2, stochasticPeriod: 2 }],
      ['daily', { kPeriod: 10, dPeriod: 5, rsiPeriod: 50, stochasticPeriod: 100 }],
    ],
  },
  aroon: {
    source: source('AROON'),
    compute: ({ high, low }, { period = 14 }) => {
      const answer = ta('AROON', { high, low }, { optInTimePeriod: period })
      return { valueAroonDown: answer.outAroonDown, valueAroonUp: answer.outAroonUp }
    },
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 25 }],
      ['shapes', { period: 5 }],
      ['daily', { period: 200 }],
    ],
  },
  kdj: {
    source:
      'definition: raw stochastic, smoothed by Wilder’s mean seeded with a simple mean (test/vectors/definitions.js)',
    compute: kdj,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1, signal: 1 }],
      ['daily', { period: 14, signal: 5 }],
      ['volatile', { kPeriod: 5, dPeriod: 20, kSmooth: 2 }],
      ['daily', { period: 100, signal: 30, kPeriod: 60 }],
    ],
  },
  accbands: {
    source: source('ACCBANDS'),
    compute: (candles, { period = 20 }) => {
      const answer = ta('ACCBANDS', prices(candles), { optInTimePeriod: period })
      return {
        valueRealUpperBand: answer.outRealUpperBand,
        valueRealMiddleBand: answer.outRealMiddleBand,
        valueRealLowerBand: answer.outRealLowerBand,
      }
    },
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 10 }],
      ['daily', { period: 250 }],
    ],
  },
  bbands: {
    source: source('BBANDS'),
    compute: ({ close }, { period = 20, stddev = 2, maType = 0 }) => {
      const answer = ta(
        'BBANDS',
        { inReal: close },
        { optInTimePeriod: period, optInNbDevUp: stddev, optInNbDevDn: stddev, optInMAType: maType },
      )
      return {
        valueUpperBand: answer.outRealUpperBand,
        valueMiddleBand: answer.outRealMiddleBand,
        valueLowerBand: answer.outRealLowerBand,
      }
    },
    cases: [
      ['volatile', {}],
      ['volatile', { period: 2 }],
      ['daily', { period: 200, stddev: 2.5 }],
      ['volatile', { period: 10, stddev: 1, maType: 1 }],
      ['daily', { period: 12, stddev: 1.5, maType: 2 }],
      ['volatile', { period: 9, maType: 3 }],
      ['daily', { period: 15, stddev: 3, maType: 4 }],
      ['volatile', { period: 21, maType: 5 }],
      ['daily', { period: 14, maType: 6 }],
      ['volatile', { maType: 7 }],
      ['daily', { period: 8, stddev: 0.5, maType: 8 }],
    ],
  },
  atr: {
    ...ofPrices('ATR', 14),
    cases: [
      ['volatile', {}],
      ['penny', { period: 1 }],
      ['daily', { period: 5 }],
      ['daily', { period: 200 }],
    ],
  },
  adx: {
    ...ofPrices('ADX', 14),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 30 }],
      ['daily', { period: 150 }],
    ],
  },
  cci: {
    source: source('CCI'),
    compute: (candles, { period = 14, tp = 'hlc3' }) => {
      const { close } = candles
      const columns = tp === 'close' ? { high: close, low: close, close } : prices(candles)
      return { value: ta('CCI', columns, { optInTimePeriod: period }).outReal }
    },
    cases: [
      ['volatile', {}],
      ['penny', { period: 5 }],
      ['daily', { period: 20, tp: 'close' }],
      ['daily', { period: 200 }],
    ],
  },
  obv: {
    source: source('OBV'),
    compute: ({ close, volume }) => ({ value: ta('OBV', { inReal: close, volume }).outReal }),
    cases: [
      ['volatile', {}],
      ['penny', {}],
      ['daily', {}],
    ],
  },
  '2crows': {
    ...pattern('CDL2CROWS'),
    cases: [
      ['shapes', {}],
      ['daily', {}],
      ['volatile', {}],
    ],
  },
  abandonedbaby: {
    ...pattern('CDLABANDONEDBABY', ({ penetration = 0.3 }) => ({ optInPenetration: penetration })),
    cases: [
      ['shapes', {}],
      ['shapes', { penetration: 0 }],
      ['shapes', { penetration: 0.9 }],
      ['daily', { penetration: 0.5 }],
    ],
  },
  engulfing: {
    ...pattern('CDLENGULFING'),
    cases: [
      ['shapes', {}],
      ['daily', {}],
      ['volatile', {}],
    ],
  },
  ht_dcperiod: {
    source: source('HT_DCPERIOD'),
    compute: ({ close }) => ({ value: ta('HT_DCPERIOD', { inReal: close }).outReal }),
    cases: [
      ['volatile', {}],
      ['penny', {}],
      ['daily', {}],
    ],
  },
  psar: {
    source: `${source('SAR')}; SAREXT without its sign where start and increment differ`,
    compute: ({ high, low }, { start = 0.02, increment = 0.02, maximum = 0.2 }) => {
      if (start === increment)
        return {
          value: ta('SAR', { high, low }, { optInAcceleration: start, optInMaximum: maximum }).outReal,
        }
      const answer = ta(
        'SAREXT',
        { high, low },
        {
          optInStartValue: 0,
          optInOffsetOnReverse: 0,
          optInAccelerationInitLong: start,
          optInAccelerationLong: increment,
          optInAccelerationMaxLong: maximum,
          optInAccelerationInitShort: start,
          optInAccelerationShort: increment,
          optInAccelerationMaxShort: maximum,
        },
      )
      return { value: answer.outReal.map(Math.abs) }
    },
    cases: [
      ['volatile', {}],
      ['penny', { start: 0.1, increment: 0.1, maximum: 0.05 }],
      ['daily', { start: 0.01, increment: 0.05, maximum: 0.3 }],
      ['volatile', { start: 0, increment: 1, maximum: 1 }],
      ['daily', { start: 0.3, increment: 0, maximum: 0.2 }],
    ],
  },
  supertrend: {
    source: 'definition: Wilder’s average true range around the middle (test/vectors/definitions.js)',
    compute: supertrend,
    cases: [
      ['volatile', {}],
      ['penny', { period: 1, multiplier: 1 }],
      ['daily', { period: 10, multiplier: 3 }],
      ['daily', { period: 100, multiplier: 0.5 }],
    ],
  },
}

/** Thirteen digits are ten thousand times finer than what a kernel is held to. */
const printed = value =>
  typeof value !== 'number' ? value : Number.isFinite(value) ? Number(value.toPrecision(13)) : null

function write(name, { source, cases }) {
  const texts = cases.map(({ market, params, outputs }) => {
    const columns = Object.entries(outputs).map(
      ([key, list]) => `"${key}": ${JSON.stringify(list.map(printed))}`,
    )
    return `{ "market": "${market}", "params": ${JSON.stringify(params)}, "outputs": {\n  ${columns.join(',\n  ')}\n} }`
  })
  writeFileSync(
    new URL(`${name}.json`, vectors),
    `{ "source": ${JSON.stringify(source)}, "cases": [\n${texts.join(',\n')}\n] }\n`,
  )
}

const asked = process.argv.slice(2)
for (const name of asked.length > 0 ? asked : Object.keys(indicators)) {
  const indicator = indicators[name]
  if (!indicator) throw new Error(`no vector is described for '${name}'`)
  const cases = []
  for (const [market, params] of indicator.cases)
    cases.push({ market, params, outputs: await indicator.compute(readMarket(market), params) })
  write(name, { source: indicator.source, cases })
}
