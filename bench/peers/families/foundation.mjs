import tulind from 'tulind'
import { ofClose, ofPrices, pattern, prices, source, ta } from '../oracle.mjs'

// The defaults are written down once more here: a case without parameters holds the catalogue to them.
export const foundation = {
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
      ['daily', { period: 160, stddev: 2.5 }],
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
      ['rare', {}],
      ['bent', {}],
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
}
