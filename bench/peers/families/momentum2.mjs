import tulind from 'tulind'
import { ofClose, ofPrices, prices, source, ta } from '../oracle.mjs'

const tulip = name => `Tulip 0.8.4 ${name} through npm tulind@0.8.20`

/** A Tulip function over whole columns, NaN before its first value. */
async function ti(name, columns, options) {
  const [values] = await tulind.indicators[name].indicator(columns, options)
  return [...new Array(columns[0].length - values.length).fill(NaN), ...values]
}

const fourPeriods = [
  ['volatile', {}],
  ['penny', { period: 1 }],
  ['daily', { period: 5 }],
  ['daily', { period: 350 }],
]

export const momentum2 = {
  roc: { ...ofClose('ROC', 10), cases: fourPeriods },
  rocp: { ...ofClose('ROCP', 10), cases: fourPeriods },
  rocr: { ...ofClose('ROCR', 10), cases: fourPeriods },
  rocr100: { ...ofClose('ROCR100', 10), cases: fourPeriods },
  trix: {
    ...ofClose('TRIX', 30),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 9 }],
      ['daily', { period: 120 }],
    ],
  },
  willr: {
    ...ofPrices('WILLR', 14),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 5 }],
      ['daily', { period: 350 }],
    ],
  },
  natr: {
    ...ofPrices('NATR', 14),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 5 }],
      ['daily', { period: 350 }],
    ],
  },
  trange: {
    source: source('TRANGE'),
    compute: candles => ({ value: ta('TRANGE', prices(candles)).outReal }),
    cases: [
      ['volatile', {}],
      ['penny', {}],
      ['daily', {}],
    ],
  },
  imi: {
    source: `${source('IMI')}, 50 as in TA-Lib 0.8 where no candle has a body`,
    compute: ({ open, close }, { period = 14 }) => ({
      value: ta('IMI', { open, close }, { optInTimePeriod: period }).outReal.map((value, i) =>
        Number.isNaN(value) && i >= period - 1 ? 50 : value,
      ),
    }),
    cases: [
      ['volatile', {}],
      ['daily', { period: 2 }],
      ['shapes', { period: 2 }],
      ['daily', { period: 350 }],
    ],
  },
  ppo: {
    source: source('PPO'),
    compute: ({ close }, { fastPeriod = 12, slowPeriod = 26, maType = 0 }) => ({
      value: ta(
        'PPO',
        { inReal: close },
        { optInFastPeriod: fastPeriod, optInSlowPeriod: slowPeriod, optInMAType: maType },
      ).outReal,
    }),
    cases: [
      ['volatile', {}],
      ['penny', { fastPeriod: 3, slowPeriod: 2 }],
      ['daily', { fastPeriod: 100, slowPeriod: 160 }],
      ['volatile', { maType: 1 }],
      ['penny', { fastPeriod: 40, slowPeriod: 150, maType: 2 }],
      ['daily', { fastPeriod: 50, slowPeriod: 150, maType: 3 }],
      ['volatile', { fastPeriod: 20, slowPeriod: 110, maType: 4 }],
      ['daily', { fastPeriod: 7, slowPeriod: 140, maType: 5 }],
      ['penny', { fastPeriod: 5, slowPeriod: 155, maType: 6 }],
      ['daily', { fastPeriod: 5, slowPeriod: 60, maType: 8 }],
    ],
  },
  stochf: {
    source: source('STOCHF'),
    compute: (candles, { fastKPeriod = 5, fastDPeriod = 3, fastDMAType = 0 }) => {
      const answer = ta('STOCHF', prices(candles), {
        optInFastK_Period: fastKPeriod,
        optInFastD_Period: fastDPeriod,
        optInFastD_MAType: fastDMAType,
      })
      return { valueFastK: answer.outFastK, valueFastD: answer.outFastD }
    },
    cases: [
      ['volatile', {}],
      ['penny', { fastKPeriod: 1, fastDPeriod: 1 }],
      ['daily', { fastKPeriod: 250, fastDPeriod: 100 }],
      ['volatile', { fastKPeriod: 200, fastDPeriod: 100, fastDMAType: 1 }],
      ['daily', { fastKPeriod: 20, fastDPeriod: 90, fastDMAType: 2 }],
      ['volatile', { fastKPeriod: 14, fastDPeriod: 80, fastDMAType: 3 }],
      ['daily', { fastKPeriod: 14, fastDPeriod: 95, fastDMAType: 4 }],
      ['penny', { fastKPeriod: 14, fastDPeriod: 85, fastDMAType: 5 }],
      ['daily', { fastKPeriod: 30, fastDPeriod: 75, fastDMAType: 6 }],
      ['volatile', { fastKPeriod: 300, fastDMAType: 7 }],
      ['daily', { fastKPeriod: 14, fastDPeriod: 60, fastDMAType: 8 }],
    ],
  },
  ultosc: {
    source: source('ULTOSC'),
    compute: (candles, { period1 = 7, period2 = 14, period3 = 28 }) => ({
      value: ta('ULTOSC', prices(candles), {
        optInTimePeriod1: period1,
        optInTimePeriod2: period2,
        optInTimePeriod3: period3,
      }).outReal,
    }),
    cases: [
      ['volatile', {}],
      ['penny', { period1: 3, period2: 2, period3: 1 }],
      ['daily', { period1: 10, period2: 300, period3: 20 }],
    ],
  },
  vosc: {
    source: tulip('vosc'),
    compute: async ({ volume }, { short_period = 5, long_period = 10 }) => ({
      value: await ti('vosc', [volume], [short_period, long_period]),
    }),
    cases: [
      ['volatile', {}],
      ['penny', { short_period: 1, long_period: 2 }],
      ['daily', { short_period: 20, long_period: 300 }],
    ],
  },
  qstick: {
    source: tulip('qstick'),
    compute: async ({ open, close }, { period = 14 }) => ({
      value: await ti('qstick', [open, close], [period]),
    }),
    cases: [
      ['volatile', {}],
      ['shapes', { period: 1 }],
      ['daily', { period: 350 }],
    ],
  },
  mass: {
    source: tulip('mass'),
    compute: async ({ high, low }, { period = 25 }) => ({ value: await ti('mass', [high, low], [period]) }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 1 }],
      ['daily', { period: 300 }],
    ],
  },
  cvi: {
    source: tulip('cvi'),
    compute: async ({ high, low }, { period = 10 }) => ({ value: await ti('cvi', [high, low], [period]) }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 150 }],
    ],
  },
  tr: {
    source: tulip('tr'),
    compute: async ({ high, low, close }) => ({ value: await ti('tr', [high, low, close], []) }),
    cases: [
      ['volatile', {}],
      ['penny', {}],
      ['daily', {}],
    ],
  },
  volatility: {
    source: tulip('volatility'),
    compute: async ({ close }, { period = 20 }) => ({ value: await ti('volatility', [close], [period]) }),
    cases: [
      ['volatile', {}],
      ['daily', { period: 5 }],
      ['daily', { period: 300 }],
    ],
  },
  bbw: {
    source: `${source('BBANDS')}: (upper − lower) / middle`,
    compute: ({ close }, { period = 20, stddev = 2 }) => {
      const { outRealUpperBand, outRealMiddleBand, outRealLowerBand } = ta(
        'BBANDS',
        { inReal: close },
        { optInTimePeriod: period, optInNbDevUp: stddev, optInNbDevDn: stddev, optInMAType: 0 },
      )
      return { value: outRealMiddleBand.map((mean, i) => (outRealUpperBand[i] - outRealLowerBand[i]) / mean) }
    },
    cases: [
      ['volatile', {}],
      ['penny', { period: 5, stddev: 1 }],
      ['daily', { period: 300, stddev: 2.5 }],
    ],
  },
}
