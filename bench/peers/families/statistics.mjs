import { chosen } from '../../../test/vectors/definitions/math.js'
import { source, ta } from '../oracle.mjs'
import { ofReal, ofTulip, ofTwo } from './math.mjs'

const ofDeviations = name => ({
  source: source(name),
  compute: (candles, { period = 5, nbDev = 1, source: column = 'close' }) => ({
    value: ta(name, { inReal: chosen(candles, column) }, { optInTimePeriod: period, optInNbDev: nbDev })
      .outReal,
  }),
  cases: [
    ['volatile', {}],
    ['shapes', { period: 2, nbDev: 2 }],
    ['daily', { period: 20, nbDev: -0.5, source: 'hlc3' }],
    ['volatile', { period: 300, nbDev: 3 }],
  ],
})

const windows = [
  ['volatile', {}],
  ['penny', { period: 2 }],
  ['daily', { period: 9 }],
  ['daily', { period: 300 }],
]
/** Prices in eighths, whose running sums are exact: over short windows those of other prices lose digits. */
const tulipWindows = [
  ['volatile', {}],
  ['shapes', { period: 2 }],
  ['daily', { period: 9 }],
  ['daily', { period: 300 }],
]

export const statistics = {
  avgdev: { ...ofReal('AVGDEV', 14), cases: windows },
  beta: {
    ...ofTwo('BETA', 5),
    cases: [
      ['volatile', {}],
      ['penny', { period: 2 }],
      ['daily', { period: 60, source: 'open', source2: 'hl2' }],
      ['volatile', { period: 300, source: 'close' }],
    ],
  },
  correl: {
    ...ofTwo('CORREL', 30),
    cases: [
      ['volatile', {}],
      ['shapes', { period: 4 }],
      ['daily', { period: 9, source: 'close', source2: 'volume' }],
      ['daily', { period: 300, source2: 'ohlc4' }],
    ],
  },
  linearreg: { ...ofReal('LINEARREG', 14), cases: windows },
  linearreg_angle: { ...ofReal('LINEARREG_ANGLE', 14), cases: windows },
  linearreg_intercept: { ...ofReal('LINEARREG_INTERCEPT', 14), cases: windows },
  linearreg_slope: { ...ofReal('LINEARREG_SLOPE', 14), cases: windows },
  linreg: { ...ofTulip('linreg', ['close'], 14), cases: tulipWindows },
  linregintercept: { ...ofTulip('linregintercept', ['close'], 14), cases: tulipWindows },
  linregslope: { ...ofTulip('linregslope', ['close'], 14, 'linregslope'), cases: tulipWindows },
  md: { ...ofTulip('md', ['close'], 20), cases: tulipWindows },
  stddev: ofDeviations('STDDEV'),
  stderr: { ...ofTulip('stderr', ['close'], 20), cases: tulipWindows },
  tsf: { ...ofReal('TSF', 14), cases: windows },
  var: ofDeviations('VAR'),
}
