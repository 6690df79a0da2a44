import tulind from 'tulind'
import { ofClose, source, ta } from '../oracle.mjs'

const tulip = name => `Tulip 0.8.4 ${name} through npm tulind@0.8.20`

/** A Tulip indicator of the close with one output, NaN before its first value. */
const ofTulip = (name, options, output = 'value', inputs = ({ close }) => [close]) => ({
  source: tulip(name),
  compute: async (candles, p) => {
    const columns = inputs(candles)
    const [values] = await tulind.indicators[name].indicator(columns, options(p))
    return { [output]: [...new Array(columns[0].length - values.length).fill(NaN), ...values] }
  },
})

const ofHilbert = (name, outputs) => ({
  source: source(name),
  compute: ({ close }) => {
    const answer = ta(name, { inReal: close })
    return Object.fromEntries(Object.entries(outputs).map(([key, output]) => [key, answer[output]]))
  },
  cases: [
    ['volatile', {}],
    ['daily', {}],
  ],
})

// The defaults are written down once more here: a case without parameters holds the catalogue to them.
export const cycle = {
  ht_dcphase: ofHilbert('HT_DCPHASE', { value: 'outReal' }),
  ht_phasor: ofHilbert('HT_PHASOR', { valueInPhase: 'outInPhase', valueQuadrature: 'outQuadrature' }),
  ht_sine: ofHilbert('HT_SINE', { valueSine: 'outSine', valueLeadSine: 'outLeadSine' }),
  ht_trendmode: ofHilbert('HT_TRENDMODE', { value: 'outInteger' }),
}

export const trend = {
  dema: {
    ...ofClose('DEMA', 30),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 120 }],
    ],
  },
  tema: {
    ...ofClose('TEMA', 30),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 80 }],
    ],
  },
  trima: {
    ...ofClose('TRIMA', 30),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 7 }],
      ['daily', { period: 251 }],
    ],
  },
  kama: {
    ...ofClose('KAMA', 30),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 10 }],
      ['daily', { period: 250 }],
    ],
  },
  t3: {
    source: source('T3'),
    compute: ({ close }, { period = 5, vFactor = 0.7 }) => ({
      value: ta('T3', { inReal: close }, { optInTimePeriod: period, optInVFactor: vFactor }).outReal,
    }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2, vFactor: 0 }],
      ['daily', { period: 40, vFactor: 1 }],
    ],
  },
  ma: {
    source: source('MA'),
    compute: ({ close }, { period = 30, maType = 0 }) => ({
      value: ta('MA', { inReal: close }, { optInTimePeriod: period, optInMAType: maType }).outReal,
    }),
    cases: [
      ['daily', {}],
      ['penny', { period: 1, maType: 8 }],
      ['volatile', { period: 150, maType: 1 }],
      ['daily', { period: 160, maType: 2 }],
      ['volatile', { period: 120, maType: 3 }],
      ['daily', { period: 100, maType: 4 }],
      ['volatile', { period: 140, maType: 5 }],
      ['daily', { period: 155, maType: 6 }],
      ['penny', { period: 5, maType: 7 }],
      ['volatile', { period: 50, maType: 8 }],
    ],
  },
  mama: {
    source: source('MAMA'),
    compute: ({ close }, { fastLimit = 0.5, slowLimit = 0.05 }) => {
      const answer = ta('MAMA', { inReal: close }, { optInFastLimit: fastLimit, optInSlowLimit: slowLimit })
      return { valueMAMA: answer.outMAMA, valueFAMA: answer.outFAMA }
    },
    cases: [
      ['volatile', {}],
      ['penny', { fastLimit: 0.99, slowLimit: 0.01 }],
      ['daily', { fastLimit: 0.1, slowLimit: 0.3 }],
    ],
  },
  mavp: {
    source: `${source('MAVP')}; the periods are those of the second source`,
    compute: (candles, p) => {
      const columns = { inReal: candles.close, inPeriods: candles[p.source2 ?? 'volume'] }
      return {
        value: ta('MAVP', columns, {
          optInMinPeriod: p.minPeriod ?? 2,
          optInMaxPeriod: p.maxPeriod ?? 30,
          optInMAType: p.maType ?? 0,
        }).outReal,
      }
    },
    cases: [
      ['penny', {}],
      ['daily', { source2: 'close', minPeriod: 50, maxPeriod: 80 }],
      ['daily', { source2: 'open', minPeriod: 68, maxPeriod: 150, maType: 1 }],
      ['shapes', { source2: 'high', minPeriod: 100, maxPeriod: 160, maType: 2 }],
      ['daily', { source2: 'close', maxPeriod: 90, maType: 3 }],
      ['daily', { source2: 'close', minPeriod: 60, maxPeriod: 85, maType: 4 }],
      ['shapes', { source2: 'close', minPeriod: 80, maxPeriod: 150, maType: 5 }],
      ['daily', { source2: 'close', minPeriod: 9, maxPeriod: 100, maType: 6 }],
      ['daily', { source2: 'close', minPeriod: 3, maxPeriod: 160, maType: 7 }],
      ['daily', { source2: 'close', minPeriod: 10, maxPeriod: 62, maType: 8 }],
    ],
  },
  midpoint: {
    ...ofClose('MIDPOINT', 14),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 250 }],
    ],
  },
  midprice: {
    source: source('MIDPRICE'),
    compute: ({ high, low }, { period = 14 }) => ({
      value: ta('MIDPRICE', { high, low }, { optInTimePeriod: period }).outReal,
    }),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 250 }],
    ],
  },
  ht_trendline: ofHilbert('HT_TRENDLINE', { value: 'outReal' }),
  sar: {
    source: source('SAR'),
    compute: ({ high, low }, { acceleration = 0.02, maximum = 0.2 }) => ({
      value: ta('SAR', { high, low }, { optInAcceleration: acceleration, optInMaximum: maximum }).outReal,
    }),
    cases: [
      ['volatile', {}],
      ['penny', { acceleration: 0.3, maximum: 0.1 }],
      ['daily', { acceleration: 0.01, maximum: 1 }],
    ],
  },
  sarext: {
    source: source('SAREXT'),
    compute: ({ high, low }, p) => ({
      value: ta(
        'SAREXT',
        { high, low },
        {
          optInStartValue: p.startValue ?? 0,
          optInOffsetOnReverse: p.offsetOnReverse ?? 0,
          optInAccelerationInitLong: p.accelerationInitLong ?? 0.02,
          optInAccelerationLong: p.accelerationLong ?? 0.02,
          optInAccelerationMaxLong: p.accelerationMaxLong ?? 0.2,
          optInAccelerationInitShort: p.accelerationInitShort ?? 0.02,
          optInAccelerationShort: p.accelerationShort ?? 0.02,
          optInAccelerationMaxShort: p.accelerationMaxShort ?? 0.2,
        },
      ).outReal,
    }),
    cases: [
      ['volatile', {}],
      [
        'daily',
        {
          startValue: 20,
          offsetOnReverse: 0.01,
          accelerationInitLong: 0.1,
          accelerationLong: 0.03,
          accelerationMaxLong: 0.05,
          accelerationInitShort: 0.01,
          accelerationShort: 0.3,
          accelerationMaxShort: 0.25,
        },
      ],
      ['daily', { startValue: -500, accelerationMaxShort: 0.1 }],
    ],
  },
  hma: {
    ...ofTulip('hma', ({ period = 16 }) => [period]),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 250 }],
    ],
  },
  vhf: {
    ...ofTulip('vhf', ({ period = 28 }) => [period]),
    cases: [
      ['volatile', {}],
      ['volatile', { period: 2 }],
      ['daily', { period: 250 }],
    ],
  },
  vidya: {
    ...ofTulip('vidya', ({ shortPeriod = 9, longPeriod = 30, alpha = 0.2 }) => [
      shortPeriod,
      longPeriod,
      alpha,
    ]),
    cases: [
      ['volatile', {}],
      ['volatile', { shortPeriod: 2, longPeriod: 3, alpha: 1 }],
      ['daily', { shortPeriod: 20, longPeriod: 200, alpha: 0.05 }],
    ],
  },
  vwma: {
    ...ofTulip(
      'vwma',
      ({ period = 20 }) => [period],
      'vwma',
      ({ close, volume }) => [close, volume],
    ),
    cases: [
      ['volatile', {}],
      ['volatile', { period: 2 }],
      ['daily', { period: 250 }],
    ],
  },
  wilders: {
    ...ofTulip('wilders', ({ period = 14 }) => [period]),
    cases: [
      ['volatile', {}],
      ['penny', { period: 1 }],
      ['daily', { period: 200 }],
    ],
  },
  zlema: {
    ...ofTulip('zlema', ({ period = 20 }) => [period]),
    cases: [
      ['volatile', {}],
      ['penny', { period: 3 }],
      ['daily', { period: 250 }],
    ],
  },
}
